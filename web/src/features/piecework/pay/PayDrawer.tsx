/**
 * Pay the ticked records: pieces and price of each, payee and date. Shows what others paid in the
 * meantime.
 */
import Button from "antd/es/button";
import Form, { type FormInstance } from "antd/es/form";
import Input from "antd/es/input";
import { Fragment, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Option, Payable, PaymentIn } from "@/contract";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { plantCurrency, today } from "@/shared/format/plant";
import { taken } from "@/shared/format/typedNumber";
import { useNarrow } from "@/shared/hooks/browser";
import { ApiError, asApiError } from "@/shared/http/ApiError";
import { DayField } from "@/shared/form/DayField";
import { Money } from "@/shared/ui/Facts";
import { byPerson, itemsOf, totalOf, type Basket, type Item, type Person } from "../basket";
import { paymentPath } from "../paths";
import { pay, useReloadPayments } from "../piecework.api";
import { lineName } from "./columns";
import { ItemRow } from "./ItemRow";
import type { Paid } from "./PaidNote";
import { PayQuestion } from "./PayQuestion";
import { OvertakenNote, useOvertaken } from "./useOvertaken";
import { usePayWords } from "./usePayWords";

const FIELDS = ["date", "userId", "notes", "items"] as const;
const NOTES = 200;

interface Values {
  date: string | null;
  userId: number | null;
  userName: string;
  notes: string;
  items: Item[];
}

/** The open question, and the function that answers it. */
interface Asked {
  values: Values;
  answer: (yes: boolean) => void;
}

/** Number of rows rendered at once, because a thousand rows of fields make typing slow. */
const ROWS_AT_ONCE = 50;

interface Props {
  basket: Basket;
  /** Number of matching records, if one payment cannot take them all. */
  matching?: number;
  onPaid: (paid: Paid) => void;
  onClose: () => void;
}

export default function PayDrawer({ basket: chosen, matching = 0, onPaid, onClose }: Props) {
  const { t } = useTranslation("piecework");
  const reload = useReloadPayments();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [rows, setRows] = useState(ROWS_AT_ONCE);
  const [first] = useState(chosen);
  const [initial] = useState(() => initialOf(first));
  const people = new Set([...first.values()].map(({ userId }) => userId)).size;
  const { basket, meanwhile, take } = useOvertaken(first);

  const answerTo = (values: Values) =>
    new Promise<boolean>((answer) => setAsked({ values, answer }));

  async function save(headers: { "Idempotency-Key": string }, values: Values) {
    const yes = await answerTo(values);
    setAsked(null);
    if (!yes) return undefined;
    const { date, userId, notes } = values;
    const left = stillOpen(values.items, basket);
    const items = left.map(({ processRecordId, quantity, price }) => ({
      processRecordId,
      quantity: taken(quantity),
      price: taken(price),
    }));
    const body = { userId, notes, items, ...(date === null ? {} : { date }) };
    try {
      const payment = await pay(headers, body as PaymentIn);
      onPaid({
        paymentIds: [payment.id],
        total: totalOf(left, basket).total,
        to: receivers(values, byPerson(left, basket)),
      });
      return { name: t("paid.one", { id: payment.id }), path: paymentPath(payment.id) };
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code !== "exceeds_remaining") throw error;
      take(error);
      const refusal = besideItsRows(error, values.items);
      const last = Math.max(...refusal.errors.map(({ field }) => Number(field.split(".")[1])), -1);
      // Nothing is left of the refused records, so the note says enough.
      if (last < 0) return undefined;
      // A refused row must be rendered to be marked.
      if (last >= rows) flushSync(() => setRows(last + 1));
      throw refusal;
    } finally {
      // Reload after a refusal too, because others changed the list.
      reload();
    }
  }

  return (
    <FormDrawer<Values>
      title={t("pay.drawer")}
      // The name contains the records, because a draft belongs to these alone.
      name={`payments/new/${initial.items.map((item) => item.processRecordId).join()}`}
      renderSaveLabel={(form) => <PayLabel form={form} basket={basket} />}
      initial={initial}
      fields={FIELDS}
      save={save}
      describe={(field, values) => ({ label: field, text: String(values[field] ?? "") })}
      width={760}
      readOnly={basket.size === 0}
      top={
        <>
          <OvertakenNote basket={basket} meanwhile={meanwhile} />
          {matching > first.size && (
            <p className="ob-note ob-below" role="status">
              {t("people.first", { count: first.size, total: matching })}
            </p>
          )}
        </>
      }
      onClose={onClose}
    >
      <div className="ob-stack ob-pay-items">
        <Heads />
        {[...first.values()].slice(0, rows).map((known, index, all) => {
          const row = basket.get(known.id);
          return (
            <Fragment key={known.id}>
              {isFirstOfItsProcess(known, all[index - 1]) && (
                <GroupName row={known} several={people > 1} />
              )}
              {row === undefined ? <PaidRow row={known} /> : <ItemRow row={row} index={index} />}
            </Fragment>
          );
        })}
        {initial.items.length > rows && (
          <Button onClick={() => setRows(rows + ROWS_AT_ONCE)}>
            {t("pay.more", { count: initial.items.length - rows })}
          </Button>
        )}
      </div>
      <Sum basket={basket} />
      <div className="ob-fields ob-form-pair">
        <Form.Item name="date" label={t("field.date")}>
          <DayField allowClear={false} />
        </Form.Item>
        <PayeeField />
      </div>
      <Form.Item name="notes" label={t("field.notes")}>
        <Input.TextArea maxLength={NOTES} showCount autoSize={{ minRows: 2 }} />
      </Form.Item>
      {asked !== null && <Question {...asked} basket={basket} />}
    </FormDrawer>
  );
}

/** Names the columns of the rows. In narrow windows each field has its own label. */
function Heads() {
  const { t } = useTranslation("piecework");
  if (useNarrow()) return null;
  return (
    <div className="ob-pay-item ob-pay-item--heads ob-quiet ob-small" aria-hidden>
      <span>{t("column.line")}</span>
      <span>{t("column.pieces")}</span>
      <span>{t("column.price")}</span>
      <span className="ob-pay-item__amount">{t("column.amount")}</span>
    </div>
  );
}

const isFirstOfItsProcess = (row: Payable, before: Payable | undefined) =>
  row.userId !== before?.userId || row.productionProcessId !== before.productionProcessId;

/** `several`: several people are paid, so name the person too, not only the process. */
function GroupName({ row, several }: { row: Payable; several: boolean }) {
  const { outputUsername, productionProcessName } = row;
  return (
    <h3 className="ob-pay-items__group">
      {several ? `${outputUsername} · ${productionProcessName}` : productionProcessName}
    </h3>
  );
}

function initialOf(basket: Basket): Values {
  const items = itemsOf(basket);
  const people = byPerson(items, basket);
  const earner = people.length === 1 ? people[0] : undefined;
  return {
    date: today(),
    userId: earner?.id ?? null,
    userName: earner?.name ?? "",
    notes: "",
    items,
  };
}

/** Return the items with pieces left. The values typed for the others stay in the form. */
const stillOpen = (items: readonly Item[], basket: Basket) =>
  items.filter(({ processRecordId }) => basket.has(processRecordId));

/** A record that another user paid while the form was open. */
function PaidRow({ row }: { row: Payable }) {
  const { t } = useTranslation("piecework");
  return (
    <p className="ob-pay-item--paid ob-quiet">
      {lineName(row)} · {row.productionProcessName} · {t("overtaken.paid")}
    </p>
  );
}

/** Who gets the money: the payee, or else the people who are owed for the pieces. */
function receivers({ userId, userName }: Pick<Values, "userId" | "userName">, people: Person[]) {
  return userId === null ? people : [{ name: userName }];
}

/** Text of the button, with the amount and the person as typed now. */
function PayLabel({ form, basket }: { form: FormInstance<Values>; basket: Basket }) {
  const { t } = useTranslation("piecework");
  const { payTo } = usePayWords();
  const items = stillOpen(Form.useWatch("items", { form, preserve: true }) ?? [], basket);
  const userId = Form.useWatch("userId", { form, preserve: true }) ?? null;
  const userName = Form.useWatch("userName", { form, preserve: true }) ?? "";
  const to = receivers({ userId, userName }, byPerson(items, basket));
  const { total } = totalOf(items, basket);
  return total === null ? t("pay.accept.unknown") : payTo("accept", total, to);
}

function Question({ values, answer, basket }: Asked & { basket: Basket }) {
  const items = stillOpen(values.items, basket);
  const people = byPerson(items, basket);
  return (
    <PayQuestion
      total={totalOf(items, basket).total}
      to={receivers(values, people)}
      people={people}
      onAnswer={answer}
    />
  );
}

/** Sum of the typed items, or a hint that something must be corrected. */
function Sum({ basket }: { basket: Basket }) {
  const { t } = useTranslation(["piecework", "forms"]);
  const items = stillOpen(Form.useWatch<Item[]>("items", { preserve: true }) ?? [], basket);
  const { pieces, total } = totalOf(items, basket);
  return (
    <p className="ob-bar ob-end ob-large" role="status">
      <span>{t("pay.total")}</span>{" "}
      <span className="ob-quiet">
        {pieces === null ? t("forms:fix") : t("pieces", { count: pieces })}
      </span>{" "}
      <strong>
        <Money amount={total} currency={plantCurrency()} />
      </strong>
    </p>
  );
}

function PayeeField() {
  const { t } = useTranslation("piecework");
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

/**
 * Move a lost race to the fields: an error at the pieces of each refused record with pieces left.
 */
export function besideItsRows(refusal: ApiError, items: readonly Item[]): ApiError {
  const { status, code, message, params } = refusal;
  const records = (params["records"] ?? []) as {
    processRecordId: number;
    remainingQuantity: number;
  }[];
  const errors = records
    .filter(({ remainingQuantity }) => remainingQuantity > 0)
    .map(({ processRecordId }) => {
      const index = items.findIndex((item) => item.processRecordId === processRecordId);
      return { field: `items.${index}.quantity`, code, message };
    });
  return new ApiError(status, { code, message, params: { ...params }, errors });
}
