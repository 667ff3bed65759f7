/** A new bill, or a pre-bill being edited. What is typed outlives a lost connection, a reload and an expired session. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Delivery } from "@/contract";
import { dropDraft, keepDraft, readDraft } from "@/shared/form/draft";
import { DraftNote } from "@/shared/form/DraftNote";
import { FormBody } from "@/shared/form/FormBody";
import { FormScope, useFormScope } from "@/shared/form/FormScope";
import { SendButton } from "@/shared/form/SendButton";
import { StaleNote } from "@/shared/form/StaleNote";
import { useLeaveGuard } from "@/shared/form/useLeaveGuard";
import { today } from "@/shared/format/plantClock";
import { useSignedIn } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { BillDialog } from "../BillDialog";
import { billPath, BILLS } from "../paths";
import { ClosedNote } from "./ClosedNote";
import { FormTotals, RunningTotal } from "./FormTotals";
import { HeaderFields } from "./HeaderFields";
import { LinePicker } from "./LinePicker";
import { totalsOf } from "./totals";
import { useBillSaving } from "./useBillSaving";
import { useCompanyByDefault } from "./useCompanyByDefault";
import { useCurrency } from "./useCurrency";
import { blankBill, valuesOf, type BillValues } from "./values";
import "@/shared/form/page.css";
import "./form.css";

/** What a person typed over what the server had then. */
interface Draft {
  values: BillValues;
  over: Delivery | null;
}

type FieldName = (string | number)[];

export function BillForm({ bill }: { bill?: Delivery }) {
  const { t } = useTranslation(["bills", "shared"]);
  const navigate = useNavigate();
  const userId = useSignedIn().user.id;
  const [form] = Form.useForm<BillValues>();
  const name = `bill/${bill?.id ?? "new"}`;
  const fresh = () => (bill === undefined ? blankBill(today()) : valuesOf(bill));
  const [draft, setDraft] = useState(() => readDraft<Draft>(name, userId));
  const [start] = useState(() => draft?.values ?? fresh());
  const [typed, setTyped] = useState(draft !== null);
  const saving = useBillSaving(form, draft?.over ?? bill);
  const { save, busy, known, changed } = saving;
  const guard = useLeaveGuard(typed, () => dropDraft(name));
  const [asking, setAsking] = useState(false);
  const customerId = Form.useWatch("customerId", form);
  const ticked = Form.useWatch(({ lines }: BillValues) => (lines ?? []).length, form) ?? 0;
  useCompanyByDefault(form, bill === undefined && draft === null);
  const currency = useCurrency(form, onTyped);
  const typedValues = () => form.getFieldsValue(true) as BillValues;
  const closed = known !== undefined && known.status !== "PreBill";

  function onTyped() {
    setTyped(true);
    keepDraft<Draft>(name, userId, { values: typedValues(), over: known ?? null });
  }

  function startOver() {
    dropDraft(name);
    setDraft(null);
    setTyped(false);
    saving.startFrom(bill);
    form.setFieldsValue(fresh());
  }

  function goTo(field: FieldName) {
    form.scrollToField(field as never, { focus: true, block: "center" });
  }

  async function saveAs(preBill: boolean) {
    const saved = await save(preBill);
    setAsking(false);
    if (saved === undefined) return;
    dropDraft(name);
    guard.release();
    toast.success(t("shared:message.saved"));
    await navigate(billPath(saved.id));
  }

  /** A bill gets its number for good, so it is asked about once all that it needs is there. */
  async function askToBill() {
    let wrong: FieldName[] = [];
    try {
      await form.validateFields();
    } catch (failed) {
      wrong = (failed as { errorFields: { name: FieldName }[] }).errorFields.map((one) => one.name);
    }
    if (typedValues().guideNumber.trim() === "") {
      form.setFields([{ name: "guideNumber", errors: [t("form.guideRequired")] }]);
      wrong.push(["guideNumber"]);
    }
    if (wrong[0] === undefined) setAsking(true);
    else goTo(wrong[0]);
  }

  return (
    <>
      {draft !== null && <DraftNote onDrop={startOver} />}
      {closed && <ClosedNote bill={known} />}
      {!closed && <StaleNote rows={changed} />}
      <FormScope>
        <FormBody<BillValues>
          form={form}
          initialValues={start}
          onValuesChange={({ customerId: chosen }: Partial<BillValues>) => {
            if (bill === undefined && chosen) void currency.startWith(chosen);
            onTyped();
          }}
          onFinish={() => void saveAs(true)}
          onFinishFailed={({ errorFields: [first] }) => {
            if (first !== undefined) goTo(first.name as FieldName);
          }}
        >
          <section className="ob-surface ob-section" aria-labelledby="bill-header">
            <h2 id="bill-header">{t("form.header")}</h2>
            <HeaderFields
              fixed={ticked > 0}
              currencyHint={currency.hint}
              onCurrency={currency.choose}
            />
          </section>
          <section className="ob-surface ob-section" aria-labelledby="bill-lines">
            <h2 id="bill-lines">{t("form.lines")}</h2>
            {customerId ? (
              <LinePicker key={customerId} customerId={customerId} />
            ) : (
              <p className="ob-quiet">{t("form.customerFirst")}</p>
            )}
            <FormTotals />
          </section>
          <footer className="ob-form-bar ob-bill-bar">
            <RunningTotal />
            <Button onClick={() => void navigate(bill === undefined ? BILLS : billPath(bill.id))}>
              {t("shared:action.cancel")}
            </Button>
            <SendButton
              type="default"
              loading={busy && !asking}
              disabled={closed}
              onClick={form.submit}
            >
              {t("form.savePreBill")}
            </SendButton>
            <BillButton disabled={closed || busy} onClick={() => void askToBill()} />
          </footer>
        </FormBody>
      </FormScope>
      {guard.question}
      {currency.question}
      {asking && (
        <BillDialog
          bill={{
            ...typedValues(),
            ...totalsOf(typedValues().lines, typedValues().shippingPrice),
          }}
          busy={busy}
          onAccept={() => void saveAs(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** No key of its own: a bill gets its number for good. */
function BillButton({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  const { t } = useTranslation("bills");
  const { wrong } = useFormScope();
  return (
    <Button type="primary" disabled={disabled || wrong} onClick={onClick}>
      {t("action.bill")}
    </Button>
  );
}
