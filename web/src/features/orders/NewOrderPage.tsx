/** A new sales order. What is typed outlives a lost connection, a reload and an expired session. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { dropDraft, keepDraft, readDraft } from "@/shared/form/draft";
import { FormBody, FormScope, SendButton, showRefusal } from "@/shared/form/FormParts";
import { DraftNote } from "@/shared/form/notes";
import { useLeaveGuard } from "@/shared/form/useLeaveGuard";
import { today } from "@/shared/format/plant";
import { useIsShown, useSubmit } from "@/shared/hooks/useSubmit";
import { useMay, useSignedIn } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { HeaderFields } from "./form/HeaderFields";
import { LineRows } from "./form/LineRows";
import { blankOrder, orderBody, withoutPictures, type OrderValues } from "./form/values";
import { createOrder } from "./orders.writes";
import { ORDERS } from "./paths";
import { picturesOf, type LinePicture } from "./pictures/linePictures";
import "@/shared/form/page.css";
import "./form/form.css";

const SendingPictures = lazyPart(() => import("./pictures/SendingPictures"));
const DRAFT = "order";

export default function NewOrderPage() {
  const { t } = useTranslation("orders");
  if (useMay("CreateSalesOrder")) return <NewOrder />;
  return (
    <div className="ob-page">
      <div className="ob-surface">
        <EmptyState title={t("form.notAllowed")} />
      </div>
    </div>
  );
}

function NewOrder() {
  const { t } = useTranslation(["orders", "shared"]);
  const navigate = useNavigate();
  const isShown = useIsShown();
  const userId = useSignedIn().user.id;
  const [form] = Form.useForm<OrderValues>();
  const [draft, setDraft] = useState(() => readDraft<OrderValues>(DRAFT, userId));
  const [typed, setTyped] = useState(draft !== null);
  const { submit, busy } = useSubmit((headers, values: OrderValues) =>
    createOrder(headers, orderBody(values)),
  );
  const guard = useLeaveGuard(typed, () => dropDraft(DRAFT));
  const [sending, setSending] = useState<LinePicture[] | null>(null);
  const [start] = useState(() => draft ?? blankOrder(today()));

  function onTyped() {
    setTyped(true);
    keepDraft(DRAFT, userId, withoutPictures(form.getFieldsValue(true) as OrderValues));
  }

  function startOver() {
    dropDraft(DRAFT);
    setDraft(null);
    setTyped(false);
    form.setFieldsValue(blankOrder(today()));
  }

  async function onFinish() {
    const values = form.getFieldsValue(true) as OrderValues;
    try {
      const order = await submit(values);
      if (order === undefined) return;
      dropDraft(DRAFT);
      toast.success(t("shared:message.saved"));
      const pictures = picturesOf(order, values);
      if (pictures.length > 0) setSending(pictures);
      else leave();
    } catch (reason) {
      showRefusal(form, reason);
    }
  }

  function leave() {
    guard.release();
    if (isShown()) void navigate(ORDERS);
  }

  return (
    <div className="ob-page ob-new-order">
      <PageTitle title={t("form.title")} />
      {draft !== null && <DraftNote onDrop={startOver} />}
      <FormScope>
        <FormBody<OrderValues>
          form={form}
          initialValues={start}
          onValuesChange={onTyped}
          onFinish={() => void onFinish()}
          onFinishFailed={({ errorFields: [first] }) => {
            if (first !== undefined)
              form.scrollToField(first.name, { focus: true, block: "center" });
          }}
        >
          <section className="ob-surface ob-section" aria-labelledby="order-header">
            <h2 id="order-header">{t("form.header")}</h2>
            <HeaderFields />
          </section>
          <section className="ob-surface ob-section" aria-labelledby="order-lines">
            <h2 id="order-lines">{t("form.lines")}</h2>
            <LineRows />
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
      {sending !== null && <SendingPictures pictures={sending} onDone={leave} />}
      <FirstField />
    </div>
  );
}

/** Typing can start at once, but a touch screen must not open its keyboard unasked. */
function FirstField() {
  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) {
      document.getElementById("customerId")?.focus();
    }
  }, []);
  return null;
}
