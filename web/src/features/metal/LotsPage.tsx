/** The lots of metal that were bought, and what is left of each in the vault. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatPerMille } from "@/shared/format/numbers";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import type { Columns } from "@/shared/ui/DataTable";
import { Grams } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { useLots, type Lot } from "./metal.api";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import "./metal.css";

const ReceiptDrawer = lazyPart(() => import("./ReceiptDrawer"));

export default function LotsPage() {
  const { t } = useTranslation("metal");
  const language = useLanguage();
  const query = useTableQuery();
  const list = useLots(query);
  const mayManage = useMay("ManageMetal");
  const { opened, open, close } = useOpenRecord();
  const columns = useMemo<Columns<Lot>>(
    () => [
      { key: "day", title: t("column.day"), width: 110, dataIndex: "day" },
      { key: "supplier", title: t("column.supplier"), dataIndex: "supplier" },
      { key: "document", title: t("column.document"), dataIndex: "document" },
      { key: "alloy", title: t("column.alloy"), dataIndex: "alloyName" },
      {
        key: "assay",
        title: t("column.assay"),
        align: "right",
        render: (_, { assay }) => (assay === null ? t("none") : formatPerMille(assay, language)),
      },
      {
        key: "received",
        title: t("column.received"),
        align: "right",
        render: (_, { receivedGrams }) => <Grams grams={receivedGrams} />,
      },
      {
        key: "left",
        title: t("column.left"),
        align: "right",
        render: (_, { leftGrams }) => <Grams grams={leftGrams} />,
      },
      { key: "by", title: t("column.by"), dataIndex: "createdBy" },
    ],
    [t, language],
  );
  return (
    <ListPage<Lot>
      title={t("lots.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={t("search.lots")}
      add={mayManage ? { label: t("receipt.open"), onClick: () => open("new") } : undefined}
      actions={<MetalTabs />}
      emptyTitle={t("lots.empty")}
      emptyHint={t("lots.emptyHint")}
      emptyDrawing="crucible"
    >
      {opened === "new" && mayManage && <ReceiptDrawer onClose={close} />}
    </ListPage>
  );
}
