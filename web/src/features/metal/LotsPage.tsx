/** The lots of metal that were bought, and what is left of each in the vault. */
import { useTranslation } from "react-i18next";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import { formatPerMille } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import { LOTS, type Lot } from "./metal.api";
import "./metal.css";

const ReceiptDrawer = lazyPart(() => import("./ReceiptDrawer"));

const LIST: RecordList<Lot> = {
  path: LOTS,
  title: "metal:lots.title",
  search: "metal:search.lots",
  empty: "metal:lots.empty",
  emptyHint: "metal:lots.emptyHint",
  drawing: "crucible",
  columns: ({ text, own, grams }) => [
    text("day", "metal:column.day", { width: 110 }),
    text("supplier", "metal:column.supplier"),
    text("document", "metal:column.document"),
    text("alloyName", "metal:column.alloy"),
    own("assay", "metal:column.assay", (lot) => <Assay lot={lot} />, { align: "right" }),
    grams("receivedGrams", "metal:column.received"),
    grams("leftGrams", "metal:column.left"),
    text("createdBy", "metal:column.by"),
  ],
  add: {
    label: "metal:receipt.open",
    permission: "ManageMetal",
    drawer: (close) => <ReceiptDrawer onClose={close} />,
  },
  Actions: MetalTabs,
};

export default function LotsPage() {
  return <RecordListPage list={LIST} />;
}

function Assay({ lot: { assay } }: { lot: Lot }) {
  const { t } = useTranslation("metal");
  const language = useLanguage();
  return assay === null ? t("none") : formatPerMille(assay, language);
}
