/** Show the export data of a bill, what is missing in it, and buttons for the export papers. */
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { readDraft } from "@/shared/form/draft";
import { GapLink, useOpenGap } from "@/shared/form/gap";
import { usePdf } from "@/shared/ui/usePdf";
import { useSignedIn } from "@/shared/session/session";
import { Fact, Facts } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { fetchExportPaper, useOrigin, type ExportPaper } from "../billing.api";
import { Gaps } from "../Missing";
import { CfdiPart } from "./CfdiPart";
import { Packed } from "./ExportDrawer";
import { OriginPart } from "./OriginPart";
import { SettlementsPart } from "./SettlementsPart";
import "../billing.css";

const ExportDrawer = lazyPart(() => import("./ExportDrawer"));

export default function ExportSection({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const userId = useSignedIn().user.id;
  // Reopen the form that was open when the session ended, if its draft was kept.
  const [editing, setEditing] = useState(
    () => bill.actions.export && readDraft(`bill/${bill.id}/export`, userId) !== null,
  );
  // Who may write its numbers reads its origin and its invoice, also once the terms are sealed. Customers do not.
  const mayChange = bill.actions.numbers;
  const { incoterm, place, pieces, boxes } = bill.export;
  const total = bill.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const untaxed = [
    ...new Map(
      bill.lines
        .filter(({ tariffItem }) => tariffItem === "")
        .map(({ itemId: id, itemName: name }) => [id, { id, name }]),
    ).values(),
  ];
  const missing = {
    "packing-list":
      pieces !== total
        ? t("export.missingPieces")
        : // Customers do not read the metal of the ledger.
          mayChange && boxes.some(({ netKg, metalKg }) => netKg === null && metalKg === null)
          ? t("export.missingNet")
          : null,
    "commercial-invoice": incoterm === "" ? t("export.missingIncoterm") : null,
  };
  const papers = ["packing-list", "commercial-invoice"] as const;
  const { data: origin } = useOrigin(bill.id, mayChange);
  const onEdit = bill.actions.export ? () => setEditing(true) : undefined;
  const isEmpty = incoterm === "" && boxes.length === 0;
  // Hide an empty section from users who may not edit it.
  if (!mayChange && isEmpty) return null;
  // The bill of a domestic customer has no customs regime: it lacks nothing, and has no paper to print.
  const isExport = bill.customRegime !== "" || !isEmpty || origin?.abroad === true;
  return (
    <section className="ob-stack ob-stack--wide ob-above" aria-labelledby="bill-export">
      <header className="ob-row ob-export__head">
        <h2 id="bill-export">{t("export.title")}</h2>
        {bill.actions.export && (
          <Button onClick={() => setEditing(true)}>{t("export.edit")}</Button>
        )}
        {isExport &&
          bill.actions.print &&
          papers.map((paper) => (
            <PaperButton
              key={paper}
              billId={bill.id}
              paper={paper}
              disabled={untaxed.length > 0 || missing[paper] !== null}
            />
          ))}
        {origin?.treaty === true && bill.actions.print && (
          <PaperButton
            billId={bill.id}
            paper="certificate-of-origin"
            disabled={untaxed.length > 0 || origin.certified === 0}
          />
        )}
      </header>
      {isExport && (
        <Facts>
          <Fact name={t("export.incoterm")}>
            {[incoterm, place].filter((text) => text !== "").join(" ") || t("none")}
          </Fact>
          <Fact name={t("export.boxes")}>
            <Packed bill={bill} count={boxes.length} sums={bill.export} />
          </Fact>
          <Gaps label={t("export.missing")}>
            {[
              ...papers
                .filter((paper) => missing[paper] !== null)
                .map((paper) => (
                  <GapLink key={paper} onOpen={onEdit}>
                    {missing[paper]}
                  </GapLink>
                )),
              ...untaxed.map((product) => <MissingTariff key={product.id} product={product} />),
            ]}
          </Gaps>
          {origin !== undefined && <OriginPart bill={bill} origin={origin} />}
          {origin?.abroad === true && <CfdiPart bill={bill} onEdit={onEdit} />}
          {origin?.abroad === true && bill.status === "Billed" && <SettlementsPart bill={bill} />}
        </Facts>
      )}
      {editing && <ExportDrawer bill={bill} onClose={() => setEditing(false)} />}
    </section>
  );
}

interface Product {
  id: number;
  name: string;
}

function MissingTariff({ product: { id, name } }: { product: Product }) {
  const { t } = useTranslation("billing");
  const onOpen = useOpenGap({ catalog: "items", id });
  return <GapLink onOpen={onOpen}>{t("export.missingTariff", { product: name })}</GapLink>;
}

interface PaperProps {
  billId: number;
  paper: ExportPaper;
  /** True if data for this paper is missing. The section lists it below. */
  disabled: boolean;
}

function PaperButton({ billId, paper, disabled }: PaperProps) {
  const { t } = useTranslation("billing");
  const pdf = usePdf(() => fetchExportPaper(billId, paper));
  return (
    <Button
      icon={<FilePdfOutlined aria-hidden />}
      disabled={disabled}
      loading={pdf.busy}
      onClick={() => void pdf.show()}
    >
      {t(`export.${paper}`)}
    </Button>
  );
}
