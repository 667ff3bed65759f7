/**
 * List what the bill in the form still lacks. A click on a part goes to the field that fills it.
 */
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import { GapLink } from "@/shared/form/gap";
import { MissingAddress, type Lacking } from "../Missing";
import type { BillValues } from "./values";

type FieldName = (string | number)[];

interface Props {
  /** Parties without a commercial address. */
  missing: readonly Lacking[];
  goTo: (field: FieldName) => void;
}

export function FormGaps({ missing, goTo }: Props) {
  const { t } = useTranslation("billing");
  const form = Form.useFormInstance<BillValues>();
  const typed = Form.useWatch(
    ({ customerId, companyId, currency, guideNumber = "", lines = [] }: Partial<BillValues>) =>
      // Undefined before the form has its values.
      customerId === undefined
        ? null
        : {
            customerId: customerId !== null,
            companyId: Boolean(companyId),
            // Choosing the customer sets the currency, so do not list the currency before.
            currency: customerId === null || Boolean(currency),
            lines: lines.length > 0,
            price: lines.flatMap(({ price }, index) => (price === null ? [index] : [])),
            guideNumber: guideNumber.trim() !== "",
          },
    { form, preserve: true },
  );
  if (typed === null) return null;
  const [unpriced] = typed.price;
  const open = (["customerId", "companyId", "currency", "guideNumber"] as const).filter(
    (field) => !typed[field],
  );
  if (open.length === 0 && typed.lines && unpriced === undefined && missing.length === 0)
    return null;
  return (
    <div className="ob-words ob-bill-gaps" role="group" aria-label={t("missing.label")}>
      <span className="ob-quiet">{t("missing.label")}:</span>
      {missing.map((one) => (
        <MissingAddress key={one.of} {...one} />
      ))}
      {!typed.lines && <GapLink onOpen={focusLines}>{t("missing.lines")}</GapLink>}
      {unpriced !== undefined && (
        <GapLink onOpen={() => goTo(["lines", unpriced, "price"])}>
          {t("missing.price", { count: typed.price.length })}
        </GapLink>
      )}
      {open.map((field) => (
        <GapLink key={field} onOpen={() => goTo([field])}>
          {t(`missing.${field}`)}
        </GapLink>
      ))}
    </div>
  );
}

/** Focus the first line to tick, or the first customer with finished lines. */
function focusLines(): void {
  document
    .querySelector<HTMLElement>('.ob-picker input[type="checkbox"], .ob-ready button')
    ?.focus();
}
