/**
 * Close a person's day at a process: choose or scan the person, weigh, compare, sign, print the
 * slip. While no person is chosen, list the people whose day is open, and the closed days. See infra/docs/rules.md#metal-days.
 */
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { isBadge } from "@/entities/scanning/codes";
import { useScannerTyping } from "@/entities/scanning/scanning";
import { useMay } from "@/shared/session/session";
import { DayField } from "@/shared/form/DayField";
import { toastError } from "@/shared/ui/errors";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { ClosedDay, ClosedDays } from "./ClosedDays";
import { DayForm } from "./DayForm";
import { personOf, useExpected, type ExpectedDay, type Whose } from "./metal.api";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import { OpenDays } from "./OpenDays";
import "./metal.css";

const idIn = (address: URLSearchParams, name: string) => Number(address.get(name)) || null;

export default function DayPage() {
  const { t } = useTranslation("metal");
  const [address, change] = useAddress();
  const processId = idIn(address, "productionProcessId");
  const userId = idIn(address, "userId");
  const day = address.get("day") ?? today();
  const set = (name: string, value: string | number | null) =>
    change((next) => {
      if (value === null) next.delete(name);
      else next.set(name, String(value));
    });
  const { badge, forget } = useBadge(processId, userId, (id) => set("userId", id));
  const mayRead = useMay("ViewMetal");
  const isChosen = processId !== null && userId !== null;
  return (
    <div className="ob-page">
      <PageTitle title={t("day.title")} note={t("day.note")} actions={<MetalTabs />} />
      <div className="ob-row" role="search" aria-label={t("day.whose")}>
        <OptionSelect
          className="ob-filter"
          catalog="production-processes"
          allowClear
          label={t("column.process")}
          placeholder={t("column.process")}
          value={processId}
          onChange={(option) => set("productionProcessId", option?.id ?? null)}
        />
        <OptionSelect
          className="ob-filter"
          catalog="users"
          allowClear
          label={t("column.person")}
          placeholder={t("column.person")}
          value={userId}
          onChange={(option) => {
            forget();
            set("userId", option?.id ?? null);
          }}
        />
        <DayField
          allowClear={false}
          aria-label={t("column.day")}
          value={day}
          onChange={(chosen) => set("day", chosen)}
        />
        <span className="ob-quiet">{t("day.scanHint")}</span>
      </div>
      {isChosen ? (
        <OneDay
          key={`${userId} ${processId} ${day}`}
          whose={{ userId, productionProcessId: processId, day }}
          badge={badge}
          onClosed={forget}
        />
      ) : (
        <>
          {mayRead && userId === null && (
            <OpenDays
              productionProcessId={processId}
              onChoose={(person) =>
                change((next) => {
                  next.set("productionProcessId", String(person.productionProcessId));
                  next.set("userId", String(person.userId));
                })
              }
            />
          )}
          <ClosedDays day={day} productionProcessId={processId} userId={userId} />
        </>
      )}
    </div>
  );
}

/**
 * Hold the badge that was scanned last. The person signs with it. It also chooses the person, if
 * the process is chosen and the user may work at a station.
 */
function useBadge(
  processId: number | null,
  userId: number | null,
  onPerson: (userId: number) => void,
) {
  const { t } = useTranslation("metal");
  const [badge, setBadge] = useState<string | null>(null);
  const mayName = useMay("Station");
  async function take(code: string) {
    if (!isBadge(code)) {
      toast.error(t("day.noBadge"));
      return;
    }
    if (userId !== null) {
      setBadge(code);
      return;
    }
    if (processId === null || !mayName) {
      toast.note(t(processId === null ? "day.processFirst" : "day.chooseFirst"));
      return;
    }
    try {
      const person = await personOf(code, processId);
      setBadge(code);
      onPerson(person.id);
    } catch (reason) {
      toastError(reason);
    }
  }
  useScannerTyping((code) => void take(code));
  return { badge, forget: () => setBadge(null) };
}

interface Props {
  whose: Whose;
  badge: string | null;
  onClosed: () => void;
}

function OneDay({ whose, badge, onClosed }: Props) {
  const { t } = useTranslation("metal");
  const { data, error, mutate } = useExpected(whose);
  if (data === undefined && error !== undefined) {
    return <LoadFailed error={error} onRetry={() => void mutate()} />;
  }
  if (data === undefined) {
    return (
      <div className="ob-surface ob-padded" aria-busy="true">
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      </div>
    );
  }
  return (
    <>
      {data.reopened && (
        <p className="ob-note ob-note--warning" role="status">
          {t("day.reopenedNote")}
        </p>
      )}
      {data.closings.map((closing) => (
        <ClosedDay key={closing.id} closing={closing} />
      ))}
      {isCounted(data) ? (
        <p className="ob-note" role="status">
          {t("day.nothingNew", { name: data.userName })}
        </p>
      ) : data.alloys.length === 0 ? (
        <div className="ob-surface">
          <EmptyState drawing="scale" title={t("day.empty", { name: data.userName })} />
        </div>
      ) : (
        <DayForm whose={whose} expected={data} badge={badge} onClosed={onClosed} />
      )}
    </>
  );
}

/** Whether the last closing that nobody took back is still valid and no metal has moved since. */
function isCounted({ alloys, closings, reopened }: ExpectedDay): boolean {
  const last = closings.find(({ reopenedAt }) => reopenedAt === null);
  if (last === undefined || reopened) return false;
  const counted = new Map(last.alloys.map((one) => [one.alloyId, one.countedGrams]));
  return alloys.every(
    ({ alloyId, expectedGrams }) => expectedGrams === (counted.get(alloyId) ?? 0),
  );
}
