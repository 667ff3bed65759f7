/** What the bill comes to while it is typed. The server's own figures count. */
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import { Money } from "@/shared/ui/Money";
import { Totals } from "../Totals";
import { totalsOf } from "./totals";
import type { BillValues } from "./values";

function useFigures() {
  const form = Form.useFormInstance<BillValues>();
  const figures = Form.useWatch(
    ({ lines, shippingPrice, currency }: Partial<BillValues>) => ({
      ...totalsOf(lines ?? [], shippingPrice ?? null),
      currency: currency ?? "",
      count: lines?.length ?? 0,
    }),
    form,
  );
  return figures ?? { ...totalsOf([], null), currency: "", count: 0 };
}

export function FormTotals() {
  const { count, ...figures } = useFigures();
  return count > 0 && <Totals {...figures} />;
}

export function RunningTotal() {
  const { t } = useTranslation("bills");
  const { count, total, currency } = useFigures();
  return (
    <p className="ob-bill-bar__total" role="status">
      {t("linesCount", { count })} ·{" "}
      <strong>
        <Money amount={total} currency={currency} />
      </strong>
    </p>
  );
}
