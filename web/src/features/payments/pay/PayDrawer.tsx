/** Pays what was ticked: pieces and price of each, whom, when. What somebody else paid meanwhile is said beside it. */
import Form from "antd/es/form";
import Input from "antd/es/input";
import { useTranslation } from "react-i18next";
import { useSWRConfig } from "swr";
import type { Option, PaymentIn } from "@/contract";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { today } from "@/shared/format/plantClock";
import { plantCurrency } from "@/shared/format/plantCurrency";
import { taken } from "@/shared/format/typedNumber";
import { DayField } from "@/shared/ui/DayField";
import { Money } from "@/shared/ui/Money";
import { itemsOf, onlyEarner, totalOf, type Basket, type Item } from "../basket";
import { pay } from "../payments.api";
import { besideItsRow } from "./besideItsRow";
import { ItemRow } from "./ItemRow";

const FIELDS = ["date", "userId", "notes", "items"] as const;
const NOTES = 200;

interface Values {
  date: string | null;
  userId: number | null;
  userName: string;
  notes: string;
  items: Item[];
}

interface Props {
  basket: Basket;
  onPaid: () => void;
  onClose: () => void;
}

export default function PayDrawer({ basket, onPaid, onClose }: Props) {
  const { t } = useTranslation("payments");
  const { mutate } = useSWRConfig();
  const earner = onlyEarner(basket.values());
  const initial: Values = {
    date: today(),
    userId: earner?.id ?? null,
    userName: earner?.name ?? "",
    notes: "",
    items: itemsOf(basket),
  };

  async function save(headers: { "Idempotency-Key": string }, values: Values) {
    const { date, userId, notes } = values;
    const items = values.items.map(({ processRecordId, quantity, price }) => ({
      processRecordId,
      quantity: taken(quantity),
      price: taken(price),
    }));
    const body = { userId, notes, items, ...(date === null ? {} : { date }) };
    try {
      const payment = await pay(headers, body as PaymentIn);
      onPaid();
      return payment;
    } catch (reason) {
      throw besideItsRow(reason, items);
    } finally {
      // Paid, or paid by somebody else: either way the list is not what it was.
      void mutate((key) => Array.isArray(key) && (key[0] === "payables" || key[0] === "payments"));
    }
  }

  return (
    <FormDrawer<Values>
      title={t("pay.drawer")}
      name="payments/new"
      saveLabel={t("pay.accept")}
      initial={initial}
      fields={FIELDS}
      // What was ticked is never that of a draft: it may be paid by now.
      secret={["items"]}
      save={save}
      describe={(field, values) => ({ label: field, text: String(values[field] ?? "") })}
      width={760}
      onClose={onClose}
    >
      <div className="ob-pay-items">
        {initial.items.map(({ processRecordId }, index) => {
          const row = basket.get(processRecordId);
          return row && <ItemRow key={processRecordId} row={row} index={index} />;
        })}
      </div>
      <Sum />
      <div className="ob-form-pair">
        <Form.Item name="date" label={t("field.date")}>
          <DayField allowClear={false} />
        </Form.Item>
        <PayeeField />
      </div>
      <Form.Item name="notes" label={t("field.notes")}>
        <Input.TextArea maxLength={NOTES} showCount autoSize={{ minRows: 2 }} />
      </Form.Item>
    </FormDrawer>
  );
}

/** What is typed so far comes to. */
function Sum() {
  const { t } = useTranslation("payments");
  const { pieces, total } = totalOf(Form.useWatch<Item[]>("items") ?? []);
  return (
    <p className="ob-pay-sum" role="status">
      <span>{t("pay.total")}</span>{" "}
      <span className="ob-quiet">{t("pieces", { count: pieces })}</span>{" "}
      <strong>
        <Money amount={total} currency={plantCurrency()} />
      </strong>
    </p>
  );
}

function PayeeField() {
  const { t } = useTranslation("payments");
  const form = Form.useFormInstance<Values>();
  return (
    <Form.Item
      name="userId"
      label={t("field.payee")}
      getValueFromEvent={(option: Option | null) => {
        form.setFieldValue("userName", option?.name ?? "");
        return option?.id ?? null;
      }}
    >
      <OptionSelect
        catalog="users"
        allowClear
        placeholder={t("field.nobody")}
        valueName={form.getFieldValue("userName") || undefined}
      />
    </Form.Item>
  );
}
