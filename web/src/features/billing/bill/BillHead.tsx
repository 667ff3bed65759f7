/** Header of a bill: name, status, actions and facts. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { Delivery } from "@/contract";
import { GapLink } from "@/shared/form/gap";
import { historyPath } from "@/shared/form/historyPath";
import { formatInstant } from "@/shared/format/plant";
import { useTerms } from "@/shared/form/useSharedCatalogs";
import { useMay } from "@/shared/session/session";
import { StatusChip } from "@/shared/ui/Chip";
import { Fact, Facts } from "@/shared/ui/Facts";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { useBillName } from "../BillParts";
import { MissingToBill, useMissingAddresses } from "../Missing";
import { BILLS, editPath } from "../paths";

interface Props {
  bill: Delivery;
  actions: ReactNode;
  onNumbers: () => void;
}

export function BillHead({ bill, actions, onNumbers }: Props) {
  const { t } = useTranslation(["billing", "forms"]);
  const navigate = useNavigate();
  const mayAudit = useMay("ViewAudit");
  const nameOf = useBillName();
  const missing = useMissingAddresses(bill, bill.actions.bill);
  const regime = useTerms("customsRegimes")?.find(({ code }) => code === bill.customRegime)?.name;
  // Customers see when it was done, without the name of the staff member.
  const done = (who: string | null, at: string | null) =>
    at !== null && (who ? `${who} · ${formatInstant(at)}` : formatInstant(at));
  const facts = [
    ["field.customer", bill.customerName],
    ["field.company", bill.companyName],
    ["field.date", bill.date],
    ["field.preBillNumber", bill.preBillNumber !== bill.number && bill.preBillNumber],
    ["field.invoiceNumber", bill.invoiceNumber || t("none")],
    ["field.guideNumber", bill.guideNumber || t("none")],
    ["field.customRegime", regime ?? (bill.customRegime !== "" && bill.customRegime)],
    ["field.createdBy", done(bill.createdBy, bill.createdAt)],
    ["field.billedBy", done(bill.billedBy, bill.billedAt)],
    ["field.canceledBy", done(bill.canceledBy, bill.canceledAt)],
  ] as const;
  return (
    <>
      <BackLink to={BILLS}>{t("list.title")}</BackLink>
      <PageTitle
        title={nameOf(bill)}
        aside={<StatusChip status={bill.status} />}
        note={
          mayAudit ? (
            <Link to={historyPath("delivery", bill.id)}>{t("forms:record.history")}</Link>
          ) : undefined
        }
        actions={actions}
      />
      <Facts>
        {facts.map(
          ([name, value]) =>
            value !== false &&
            value !== null && (
              <Fact key={name} name={t(name)}>
                {value}
              </Fact>
            ),
        )}
        {bill.notes !== "" && (
          <Fact name={t("field.notes")} wide>
            {bill.notes}
          </Fact>
        )}
        <MissingToBill missing={missing}>
          {bill.actions.bill && bill.guideNumber === "" && (
            <GapLink onOpen={bill.actions.numbers ? onNumbers : undefined}>
              {t("missing.guideNumber")}
            </GapLink>
          )}
          {bill.actions.bill &&
            bill.lines
              .filter(({ quantity, remaining }) => quantity > remaining)
              .map(({ customerSalesOrderId: po, salesOrderId, position, remaining }) => (
                <GapLink
                  key={`${salesOrderId}-${position}`}
                  onOpen={bill.actions.edit ? () => void navigate(editPath(bill.id)) : undefined}
                >
                  {t("missing.pieces", { place: t("lines.place", { po, position }), remaining })}
                </GapLink>
              ))}
        </MissingToBill>
      </Facts>
    </>
  );
}
