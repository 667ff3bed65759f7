/** Note a payment of a bill, or a credit note for it. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import type { Delivery, Settlement, SettlementIn, Settlements } from "@/contract";
import { DayField } from "@/shared/form/DayField";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { NumberField } from "@/shared/form/NumberField";
import { Select } from "@/shared/form/Select";
import { amountRule } from "@/shared/format/money";
import { startOf, today } from "@/shared/format/plant";
import type { Typed } from "@/shared/format/typedNumber";
import { useAnswers } from "@/shared/http/data";
import { settleBill } from "../billing.api";
import { billPath } from "../paths";
import { BILL_LISTS } from "../useBillAction";
import { PAYMENT_FORMS, PLACE_MOST, RATE } from "./boxes";

const FIELDS = ["day", "paymentForm", "amount", "currency", "rate", "notes"] as const;
const CURRENCIES = ["MXN", "USD"] as const;
const NOON_MS = 12 * 3_600_000;

interface Values {
  day: string;
  paymentForm: string;
  amount: Typed;
  currency: string;
  rate: Typed;
  notes: string;
}

interface Props {
  bill: Delivery;
  kind: Settlement["kind"];
  /** What is owed, in the bill's currency. */
  balance: number;
  onDone: (now: Settlements) => void;
  onClose: () => void;
}

/** The noon of a day of the plant, which the SAT takes where the hour is not known; now, if that is still to come. */
function instantOf(day: string): string {
  const noon = Date.parse(startOf(day)) + NOON_MS;
  return new Date(Math.min(noon, Date.now())).toISOString();
}

export default function SettleDrawer({ bill, kind, balance, onDone, onClose }: Props) {
  const { t } = useTranslation("billing");
  const answers = useAnswers();
  // Bills in other currencies have no electronic invoice, and are paid in their own.
  const converts = CURRENCIES.some((one) => one === bill.currency);
  const initial: Values = {
    day: today(),
    paymentForm: "03",
    amount: balance,
    currency: bill.currency,
    rate: null,
    notes: "",
  };

  return (
    <FormDrawer<Values>
      title={t(`settlements.note.${kind}`)}
      name={`bill/${bill.id}/${kind}`}
      initial={initial}
      fields={FIELDS}
      save={async (headers, { day, amount, rate, ...values }) => {
        const body = {
          ...values,
          kind,
          at: instantOf(day),
          amount: amount as number,
          rate: rate as number | null,
          notes: values.notes.trim(),
        } satisfies SettlementIn;
        onDone(await settleBill(headers, bill.id, body));
        answers.afterWrite(BILL_LISTS);
        return { name: t(`settlements.note.${kind}`), path: billPath(bill.id) };
      }}
      reload={() => Promise.resolve(initial)}
      describe={(field, values) => ({
        label: t(`settlements.${field}`),
        text: String(values[field] ?? ""),
      })}
      onClose={onClose}
    >
      <Form.Item name="amount" label={t("settlements.amount")}>
        <NumberField rule={amountRule(bill.currency)} />
      </Form.Item>
      {kind === "payment" && converts && (
        <Form.Item name="currency" label={t("settlements.currency")}>
          <Select options={CURRENCIES.map((value) => ({ value, label: value }))} />
        </Form.Item>
      )}
      {converts && (
        <Form.Item name="rate" label={t("settlements.rate")}>
          <NumberField rule={RATE} suffix="MXN" />
        </Form.Item>
      )}
      <Form.Item
        name="day"
        label={t("settlements.day")}
        rules={[
          {
            // oxlint-disable-next-line typescript/require-await -- a rule answers a promise
            validator: async (_, day: string) => {
              if (day > today()) throw new Error(t("settlements.toCome"));
            },
          },
        ]}
      >
        <DayField allowClear={false} />
      </Form.Item>
      <Form.Item name="paymentForm" label={t("settlements.paymentForm")}>
        <Select
          options={PAYMENT_FORMS.map((value) => ({
            value,
            label: `${value} · ${t(`paymentForms.${value}`)}`,
          }))}
        />
      </Form.Item>
      <Form.Item name="notes" label={t("settlements.notes")}>
        <Input maxLength={PLACE_MOST} autoComplete="off" />
      </Form.Item>
    </FormDrawer>
  );
}
