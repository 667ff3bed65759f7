/** Header fields of a bill: parties, date, numbers, shipping, currency and notes. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import type { Option } from "@/contract";
import { Folded } from "@/shared/form/Folded";
import { NumberField } from "@/shared/form/NumberField";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { TermSelect } from "@/shared/form/TermSelect";
import { DayField } from "@/shared/form/DayField";
import { typedAt } from "@/shared/form/FormParts";
import { MissingAddress, type Lacking } from "../Missing";
import { NOTES_MOST, NUMBER_MOST, shippingRule, type BillValues } from "./values";

const PARTIES = [
  ["customer", "customerId", "customerName", "customers", "form.chooseCustomer"],
  ["company", "companyId", "companyName", "companies", "form.chooseCompany"],
] as const;

interface Props {
  /** True if lines are ticked. The customer is then fixed, because a bill has one customer. */
  fixed: boolean;
  /** Parties without a commercial address. A bill cannot be issued without it. */
  missing: readonly Lacking[];
  currencyHint: string | undefined;
  onCurrency: (code: string) => void;
  /** Whether the bill leaves the country, so that its customs regime is in sight. */
  isExport: boolean;
  onTyped: () => void;
}

export function HeaderFields({
  fixed,
  missing,
  currencyHint,
  onCurrency,
  isExport,
  onTyped,
}: Props) {
  const { t } = useTranslation(["billing", "forms"]);
  const form = Form.useFormInstance<BillValues>();
  const currency = Form.useWatch("currency", form);
  const required = { required: true, message: t("forms:required") };
  return (
    <div className="ob-fields ob-bill-fields">
      {PARTIES.map(([party, id, name, catalog, placeholder]) => (
        <Form.Item
          key={id}
          name={id}
          className="ob-bill-fields__half"
          label={t(id === "customerId" ? "field.customer" : "field.company")}
          rules={[required]}
          extra={
            <>
              {fixed && id === "customerId" && <span>{t("form.customerFixed")} </span>}
              {missing
                .filter(({ of }) => of === party)
                .map((lacking) => (
                  <span key={party}>
                    {t("missing.label")}: <MissingAddress {...lacking} />
                  </span>
                ))}
            </>
          }
          getValueFromEvent={(option: Option | null) => {
            form.setFieldValue(name, option?.name ?? "");
            return option?.id ?? null;
          }}
        >
          <OptionSelect
            catalog={catalog}
            disabled={fixed && id === "customerId"}
            placeholder={t(placeholder)}
            valueName={typedAt(form, name) || undefined}
          />
        </Form.Item>
      ))}
      <Form.Item name="date" label={t("field.date")} rules={[required]}>
        <DayField allowClear={false} />
      </Form.Item>
      <Form.Item name="invoiceNumber" label={t("field.invoiceNumber")}>
        <Input maxLength={NUMBER_MOST} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="guideNumber"
        label={t("field.guideNumber")}
        extra={
          <>
            {t("form.guideHint")}{" "}
            <Button
              type="link"
              size="small"
              onClick={() => {
                form.setFieldValue("guideNumber", t("form.byHand"));
                onTyped();
              }}
            >
              {t("form.byHand")}
            </Button>
          </>
        }
      >
        <Input maxLength={NUMBER_MOST} autoComplete="off" />
      </Form.Item>
      <Form.Item name="shippingPrice" label={t("field.shippingPrice")}>
        <NumberField rule={shippingRule(currency ?? "")} suffix={currency} />
      </Form.Item>
      <Form.Item
        name="currency"
        label={t("field.currency")}
        rules={[required]}
        {...(currencyHint === undefined ? {} : { extra: currencyHint })}
      >
        <CurrencySelect onChoose={onCurrency} />
      </Form.Item>
      <Form.Item name="notes" label={t("field.notes")} className="ob-bill-fields__half">
        <TextArea maxLength={NOTES_MOST} showCount autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
      <Folded title={t("form.export")} open={isExport}>
        <Form.Item
          name="customRegime"
          label={t("field.customRegime")}
          className="ob-explained"
          extra={t("form.regimeExplained")}
        >
          <TermSelect terms="customsRegimes" withCode placeholder={t("form.noRegime")} />
        </Form.Item>
      </Folded>
    </div>
  );
}

interface CurrencyProps {
  id?: string;
  value?: string;
  onChoose: (code: string) => void;
}

/**
 * Choose the currency, which cannot be emptied. The value changes once the typed amounts are
 * settled.
 */
function CurrencySelect({ onChoose, id, value }: CurrencyProps) {
  return (
    <TermSelect
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      terms="currencies"
      withCode
      onChange={(code) => {
        if (code !== "" && code !== value) onChoose(code);
      }}
    />
  );
}
