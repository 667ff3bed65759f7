/**
 * Create a sales order. Typed values survive a lost connection, a reload and an expired session.
 */
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { readDraft, useKeptDraft } from "@/shared/form/draft";
import { FormBody, FormScope, SendButton, showRefusal, typedIn } from "@/shared/form/FormParts";
import { DraftNote } from "@/shared/form/notes";
import { useLeaveGuard } from "@/shared/form/useLeaveGuard";
import { today } from "@/shared/format/plant";
import { useStartFocus } from "@/shared/hooks/focus";
import { useIsShown, useSubmit } from "@/shared/ui/useSubmit";
import { useMay, useSignedIn } from "@/shared/session/session";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { HeaderFields, LineDatesFields } from "./form/HeaderFields";
import type { Place } from "./form/LineGrid";
import {
  blankOrder,
  copyOf,
  datesOf,
  firstWrong,
  fromDraft,
  orderBody,
  withoutPictures,
  type OrderValues,
} from "./form/lines";
import { OrderLines, placeOfFirst, refusedLines, type RefusedLines } from "./form/OrderLines";
import { useLines } from "./form/useLines";
import { useOfferedDays } from "./form/useOfferedDays";
import { useSheets, type KeptSheet } from "./form/useSheets";
import { useOrder } from "./orders.api";
import { createOrder } from "./orders.writes";
import { againOf, COPY, copyPath, orderPath, ORDERS, type Again } from "./paths";
import { picturesOf } from "./pictures/linePictures";
import { sendPictures } from "./pictures/sendingPictures";
import "@/shared/form/page.css";
import "./form/form.css";

export default function NewOrderPage() {
  const { t } = useTranslation("orders");
  const [params] = useSearchParams();
  const copied = Number(params.get(COPY));
  if (!useMay("CreateSalesOrder")) {
    return (
      <div className="ob-page">
        <div className="ob-surface">
          <EmptyState title={t("form.notAllowed")} />
        </div>
      </div>
    );
  }
  if (!(copied > 0)) return <NewOrder draftName="order/new" />;
  const again = againOf(params);
  return <Copy key={copyPath(copied, again)} orderId={copied} again={again} />;
}

function Copy({ orderId, again }: { orderId: number; again: Again | null }) {
  const { data: order, error, mutate } = useOrder(orderId);
  if (order !== undefined) {
    const line = again === null ? "" : `/${again.position}/${again.quantity ?? ""}`;
    const first = copyOf(order, today(), again);
    return <NewOrder draftName={`order/copy/${orderId}${line}`} first={first} copy />;
  }
  return (
    <div className="ob-page">
      {error !== undefined && <LoadFailed error={error} onRetry={() => void mutate()} />}
    </div>
  );
}

interface Draft extends OrderValues {
  sheets?: KeptSheet[];
}

interface Props {
  draftName: string;
  first?: OrderValues;
  /** All fields but the PO# are filled already. */
  copy?: boolean;
}

function NewOrder({ draftName, first, copy = false }: Props) {
  const { t } = useTranslation(["orders", "shared", "forms"]);
  const navigate = useNavigate();
  const isShown = useIsShown();
  const userId = useSignedIn().user.id;
  const [form] = Form.useForm<OrderValues>();
  const [draft, setDraft] = useState(() => readDraft<Draft>(draftName, userId));
  const [typed, setTyped] = useState(draft !== null);
  const [start] = useState(() =>
    draft === null ? (first ?? blankOrder(today())) : fromDraft(draft),
  );
  const { lines, actions, now, settled } = useLines(start.items, onTyped);
  const offered = useOfferedDays(lines);
  const pasted = useSheets(draft?.sheets ?? [], onTyped);
  const { submit, busy } = useSubmit((headers, values: OrderValues) =>
    createOrder(headers, orderBody(values, offered)),
  );
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<RefusedLines>([]);
  const [goTo, setGoTo] = useState<Place | null>(null);
  const dates = Form.useWatch("dates", form);
  const kept = useKeptDraft(draftName, () =>
    withoutPictures({
      ...typedIn(form),
      items: [...now()],
      sheets: pasted.now(),
    }),
  );

  const guard = useLeaveGuard(typed, kept.forget);
  useStartFocus(copy ? "customerSalesOrderId" : "customerId");

  function onTyped() {
    setTyped(true);
    kept.keepSoon();
  }

  function startOver() {
    const blank = first ?? blankOrder(today());
    form.setFieldsValue(blank);
    actions.replace(blank.items);
    pasted.clear();
    kept.forget();
    setDraft(null);
    setTyped(false);
    setTried(false);
  }

  async function onFinish() {
    const all = await settled();
    setTried(true);
    const wrong = firstWrong(all);
    if (wrong !== null) {
      toast.error(t("forms:fix"));
      setGoTo(wrong);
      return;
    }
    const left = pasted.countToWarnOf();
    if (left > 0) {
      toast.warning(t("sheet.leftOnSave", { count: left }));
      return;
    }
    const items = all.filter((line) => line.item !== null);
    const values = { ...typedIn(form), items };
    try {
      const order = await submit(values);
      if (order === undefined) return;
      kept.end();
      const po = order.customerSalesOrderId;
      toast.saved({ name: t("order.title", { po }), path: orderPath(order.id) });
      sendPictures(picturesOf(order, items), userId);
      leave();
    } catch (reason) {
      const on = refusedLines(reason, items);
      setRefused(on);
      setGoTo(placeOfFirst(on, all));
      showRefusal(form, reason);
    }
  }

  function leave() {
    guard.release();
    if (isShown()) void navigate(ORDERS);
  }

  /** On Enter, focus the next field: PO#, delivery date, then the first product. */
  function onHeaderKey(event: KeyboardEvent<HTMLElement>) {
    const { target } = event;
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    if (!(target instanceof HTMLInputElement)) return;
    if (target.id === "customerSalesOrderId") document.getElementById(DELIVERY)?.focus();
    if (target.id === DELIVERY) setGoTo({ row: 0, col: "item" });
  }

  return (
    <div className="ob-page ob-new-order">
      <PageTitle title={t("form.title")} />
      {draft !== null && <DraftNote onDrop={startOver} />}
      <FormScope>
        <FormBody<OrderValues>
          form={form}
          busy={busy}
          initialValues={start}
          onValuesChange={onTyped}
          onFinish={() => void onFinish()}
          onFinishFailed={({ errorFields: [wrong] }) => {
            setTried(true);
            if (wrong !== undefined) {
              form.scrollToField(wrong.name, { focus: true, block: "center" });
            }
          }}
        >
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its fields */}
          <section
            className="ob-surface ob-section"
            aria-labelledby="order-header"
            onKeyDown={onHeaderKey}
          >
            <h2 id="order-header">{t("form.header")}</h2>
            <HeaderFields />
            <LineDatesFields />
          </section>
          <section className="ob-surface ob-section" aria-labelledby="order-lines">
            <h2 id="order-lines">{t("form.lines")}</h2>
            <OrderLines
              lines={lines}
              dates={datesOf(dates)}
              tried={tried}
              refused={refused}
              offered={offered}
              actions={actions}
              pasted={pasted}
              goTo={goTo}
              onGoTo={setGoTo}
            />
          </section>
          <footer className="ob-form-bar">
            <Button onClick={() => void navigate(ORDERS)}>{t("shared:action.cancel")}</Button>
            <SendButton loading={busy} onClick={form.submit}>
              {t("form.save")}
            </SendButton>
          </footer>
        </FormBody>
      </FormScope>
      {guard.question}
    </div>
  );
}

const DELIVERY = "dates_deliveryDate";
