/** The counts of the vault: who counted, what differed, and the slip. See infra/docs/rules.md#metal-counts. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatInstant } from "@/shared/format/plant";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useMay } from "@/shared/session/session";
import type { Columns } from "@/shared/ui/DataTable";
import { Grams } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { differenceName, SlipButton } from "./ClosedDays";
import { fetchCountSlip, useCounts, type VaultCount } from "./metal.api";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import "./metal.css";

const CountDrawer = lazyPart(() => import("./CountDrawer"));

export default function CountsPage() {
  const { t } = useTranslation("metal");
  const query = useTableQuery();
  const list = useCounts(query);
  const mayManage = useMay("ManageMetal");
  const { opened, open, close } = useOpenRecord();
  const columns = useMemo<Columns<VaultCount>>(
    () => [
      { key: "at", title: t("column.at"), render: (_, { at }) => formatInstant(at) },
      { key: "countedBy", title: t("field.countedById"), dataIndex: "countedBy" },
      { key: "witness", title: t("field.witnessId"), dataIndex: "witness" },
      {
        key: "difference",
        title: t("day.difference"),
        render: (_, count) => <Differences count={count} />,
      },
      {
        key: "slip",
        title: t("day.slipHead"),
        render: (_, { id }) => <SlipButton load={() => fetchCountSlip(id)} />,
      },
    ],
    [t],
  );
  return (
    <ListPage<VaultCount>
      title={t("counts.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={t("field.notes")}
      add={mayManage ? { label: t("counts.open"), onClick: () => open("new") } : undefined}
      actions={<MetalTabs />}
      emptyTitle={t("counts.empty")}
      emptyHint={t("counts.emptyHint")}
      emptyDrawing="scale"
    >
      {opened === "new" && mayManage && <CountDrawer onClose={close} />}
    </ListPage>
  );
}

/** What is missing or too much of each alloy, and why. */
function Differences({ count: { alloys } }: { count: VaultCount }) {
  const { t } = useTranslation("metal");
  return (
    <ul>
      {alloys.map(({ alloyId, alloyName, differenceGrams, reason }) => (
        <li key={alloyId} className="ob-words">
          <span>{alloyName}</span>
          <strong>{t(differenceName(differenceGrams))}</strong>
          {differenceGrams !== 0 && <Grams grams={Math.abs(differenceGrams)} />}
          {reason !== "" && <span className="ob-quiet ob-breaks">{reason}</span>}
        </li>
      ))}
    </ul>
  );
}
