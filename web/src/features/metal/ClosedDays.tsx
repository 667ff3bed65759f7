/** The list of closings on one day, and one closing with its slip. A closing can be taken back. */
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import Button from "antd/es/button";
import Popconfirm from "antd/es/popconfirm";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatInstant } from "@/shared/format/plant";
import { usePdf } from "@/shared/ui/usePdf";
import type { ServedFile } from "@/shared/http/download";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useMay, useSignedIn } from "@/shared/session/session";
import { Chip } from "@/shared/ui/Chip";
import { DataTable, type Columns } from "@/shared/ui/DataTable";
import { toastError } from "@/shared/ui/errors";
import { Grams } from "@/shared/ui/Facts";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import {
  fetchSlip,
  reopenDay,
  useClosedDays,
  useReloadMetal,
  type ClosedDay as Closing,
} from "./metal.api";

interface Props {
  day: string;
  productionProcessId: number | null;
  userId: number | null;
}

export function ClosedDays(whose: Props) {
  const { day } = whose;
  const { t } = useTranslation("metal");
  const query = useTableQuery();
  const { rows, total, error, more, retry } = useClosedDays(whose, query);
  const columns = useMemo<Columns<Closing>>(
    () => [
      { key: "person", title: t("column.person"), dataIndex: "userName" },
      { key: "process", title: t("column.process"), dataIndex: "productionProcessName" },
      {
        key: "difference",
        title: t("day.difference"),
        render: (_, closing) => <Differences closing={closing} />,
      },
      {
        key: "closedAt",
        title: t("day.closed"),
        render: (_, closing) => <WhenClosed closing={closing} />,
      },
      {
        key: "slip",
        title: t("day.slipHead"),
        render: (_, closing) => <Actions closing={closing} />,
      },
    ],
    [t],
  );
  if (error !== undefined) {
    return (
      <div className="ob-surface">
        <LoadFailed error={error} onRetry={retry} />
      </div>
    );
  }
  return (
    <DataTable<Closing>
      rowKey={({ id }) => String(id)}
      label={t("day.closedDays", { day })}
      columns={columns}
      rows={rows}
      total={total}
      onMore={more}
      renderCard={(closing) => (
        <div className="ob-padded">
          <OfClosing closing={closing} />
        </div>
      )}
      empty={<EmptyState drawing="scale" title={t("day.none", { day })} hint={t("day.noneHint")} />}
    />
  );
}

/** One closing: the person, who closed it and when, the difference of each alloy, the notes, and the slip. */
export function ClosedDay({ closing }: { closing: Closing }) {
  const { t } = useTranslation("metal");
  return (
    <section
      className="ob-surface ob-padded"
      aria-label={t("day.slipOf", { number: closing.slipNumber })}
    >
      <OfClosing closing={closing} />
    </section>
  );
}

function OfClosing({ closing }: { closing: Closing }) {
  const { t } = useTranslation("metal");
  return (
    <div className="ob-stack ob-stack--tight">
      <span className="ob-row ob-apart">
        <strong>
          {closing.userName} · {closing.productionProcessName}
        </strong>
        <Actions closing={closing} />
      </span>
      <span className="ob-quiet">
        {t("day.slipOf", { number: closing.slipNumber })} · <WhenClosed closing={closing} />
      </span>
      <Differences closing={closing} />
      {closing.reason !== "" && (
        <span className="ob-words">
          <span className="ob-quiet">{t("field.reason")}</span>
          <span className="ob-breaks">{closing.reason}</span>
        </span>
      )}
      {closing.notes !== "" && <span className="ob-breaks">{closing.notes}</span>}
    </div>
  );
}

function WhenClosed({ closing }: { closing: Closing }) {
  const { t } = useTranslation("metal");
  const { closedAt, closedBy, reopened, reopenedAt, reopenedBy } = closing;
  return (
    <>
      {formatInstant(closedAt)} · {closedBy}
      {reopened && (
        <>
          {" "}
          <Chip tone="warning">{t("day.reopened")}</Chip>
          {reopenedAt !== null && (
            <span className="ob-quiet">
              {" "}
              {formatInstant(reopenedAt)} · {reopenedBy}
            </span>
          )}
        </>
      )}
    </>
  );
}

/** What is missing or too much of each alloy. */
function Differences({ closing: { alloys } }: { closing: Closing }) {
  const { t } = useTranslation("metal");
  return (
    <ul>
      {alloys.map(({ alloyId, alloyName, differenceGrams, dustGrams }) => (
        <li key={alloyId} className="ob-words">
          <span>{alloyName}</span>
          <strong>{t(differenceName(differenceGrams))}</strong>
          {differenceGrams !== 0 && <Grams grams={Math.abs(differenceGrams)} />}
          {dustGrams > 0 && (
            <span className="ob-quiet">
              {t("day.dust")} <Grams grams={dustGrams} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The locale key for a difference. `grams`: the expected weight minus what is there. */
export function differenceName(grams: number) {
  return grams === 0 ? "day.matches" : grams > 0 ? "day.missing" : "day.over";
}

function Actions({ closing }: { closing: Closing }) {
  return (
    <span className="ob-row">
      <SlipButton load={() => fetchSlip(closing.id)} />
      <ReopenButton closing={closing} />
    </span>
  );
}

/** Take a closing back, for the person, for who closed it, and for who manages metal. */
function ReopenButton({ closing }: { closing: Closing }) {
  const { t } = useTranslation("metal");
  const reload = useReloadMetal();
  const mayClose = useMay("CloseMetalDay");
  const mayManage = useMay("ManageMetal");
  const me = useSignedIn().user.id;
  const { submit, busy } = useSubmit(reopenDay);
  const { id, slipNumber: number, userId, userName: name, closedById, reopened } = closing;
  const isOwn = me === userId || me === closedById;
  if (reopened || !mayClose || !(mayManage || isOwn)) return null;
  async function reopen() {
    try {
      if ((await submit(id)) === undefined) return;
      toast.success(t("day.reopenDone", { number }));
    } catch (reason) {
      toastError(reason);
    }
    reload();
  }
  return (
    <Popconfirm
      title={t("day.reopenTitle", { number })}
      description={t("day.reopenText", { name })}
      okText={t("day.reopenAccept")}
      cancelText={t("day.reopenKeep")}
      onConfirm={() => void reopen()}
    >
      <Button loading={busy}>{t("day.reopen")}</Button>
    </Popconfirm>
  );
}

/** Button that shows the slip in a new tab. */
export function SlipButton({ load }: { load: () => Promise<ServedFile> }) {
  const { t } = useTranslation("metal");
  const slip = usePdf(load);
  return (
    <Button
      icon={<FilePdfOutlined aria-hidden />}
      loading={slip.busy}
      onClick={() => void slip.show()}
    >
      {t("day.slip")}
    </Button>
  );
}
