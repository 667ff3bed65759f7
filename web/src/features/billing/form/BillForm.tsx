/**
 * Form of a new bill or a pre-bill. Typed values survive a lost connection, a reload and an expired
 * session.
 */
import Button from "antd/es/button";
import Form, { type FormInstance } from "antd/es/form";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { BillableLine, Delivery } from "@/contract";
import { dropDraft, keepDraft, readDraft } from "@/shared/form/draft";
import {
  FormBody,
  FormScope,
  SendButton,
  typedAt,
  typedIn,
  useFormScope,
} from "@/shared/form/FormParts";
import { ConflictNote, DraftNote, StaleNote } from "@/shared/form/notes";
import { useNarrow } from "@/shared/hooks/browser";
import { useStartFocus } from "@/shared/hooks/focus";
import { useIsShown } from "@/shared/ui/useSubmit";
import { useLeaveGuard } from "@/shared/form/useLeaveGuard";
import { today } from "@/shared/format/plant";
import { useOptions } from "@/shared/hooks/useOptions";
import { useSignedIn } from "@/shared/session/session";
import { Money } from "@/shared/ui/Facts";
import { toast } from "@/shared/ui/toast";
import { BillDialog } from "../BillDialog";
import { Totals, useBillName } from "../BillParts";
import { useMended, useMissingAddresses } from "../Missing";
import { billPath, BILLS } from "../paths";
import { FormGaps } from "./FormGaps";
import { HeaderFields } from "./HeaderFields";
import { LinePicker } from "./LinePicker";
import { ReadyToBill } from "./ReadyToBill";
import { totalsOf } from "./totals";
import { useBillSaving } from "./useBillSaving";
import { useCurrency } from "./useCurrency";
import { useLinesOfAddress } from "./useLinesOfAddress";
import { blankBill, ticked, valuesOf, type BillValues } from "./values";
import "@/shared/form/page.css";
import "./form.css";

/** Typed values, and the version of the bill that they are based on (null for a new bill). */
interface Draft {
  values: BillValues;
  over: Delivery | null;
}

type FieldName = (string | number)[];

export function BillForm({ bill }: { bill?: Delivery }) {
  const { t } = useTranslation(["billing", "shared", "forms"]);
  const navigate = useNavigate();
  const isShown = useIsShown();
  // In a narrow window the bar has no room for what is missing.
  const narrow = useNarrow();
  const userId = useSignedIn().user.id;
  const nameOf = useBillName();
  const [form] = Form.useForm<BillValues>();
  const name = `bill/${bill?.id ?? "new"}`;
  const fresh = () => (bill === undefined ? blankBill(today()) : valuesOf(bill));
  const [draft, setDraft] = useState(() => readDraft<Draft>(name, userId));
  const [start] = useState(() => draft?.values ?? fresh());
  const [typed, setTyped] = useState(draft !== null);
  const saving = useBillSaving(form, draft?.over ?? bill);
  const { save, busy, known, changed } = saving;
  const [sent, setSent] = useState(false);
  const guard = useLeaveGuard(typed, () => dropDraft(name));
  const [asking, setAsking] = useState(false);
  const customerId = Form.useWatch("customerId", form);
  const companyId = Form.useWatch("companyId", form);
  const missing = useMissingAddresses({
    customerId: customerId ?? null,
    customerName: typedAt(form, "customerName") || "",
    companyId: companyId ?? null,
    companyName: typedAt(form, "companyName") || "",
  });
  useMended(missing, (of) => form.setFields([{ name: `${of}Id`, errors: [] }]));
  const count = Form.useWatch(({ lines }: BillValues) => (lines ?? []).length, form) ?? 0;
  useCompanyByDefault(form, bill === undefined && draft === null);
  const currency = useCurrency(form, onTyped);
  const typedValues = () => typedIn(form);
  const closed = known !== undefined && known.status !== "PreBill";
  useStartFocus("customerId");

  function onTyped() {
    if (sent) return;
    setTyped(true);
    keepDraft<Draft>(name, userId, { values: typedValues(), over: known ?? null });
  }

  /**
   * Put finished lines on the bill, and take over their customer and currency. `goesOn`: then focus
   * the tracking number.
   */
  async function bring(lines: readonly BillableLine[], goesOn = true) {
    const [first] = lines;
    if (first === undefined) return;
    form.setFieldsValue({ customerId: first.customerId, customerName: first.customerName });
    await currency.startWith(first.customerId);
    const chosen = typedAt(form, "currency") || "";
    form.setFieldsValue({ lines: lines.map((line) => ticked(line, chosen)) });
    onTyped();
    if (goesOn) goTo(["guideNumber"]);
  }

  // Leave the focus where the user has begun to type.
  useLinesOfAddress(bill === undefined && draft === null && !customerId, (lines) =>
    bring(lines, !typed),
  );

  function startOver() {
    dropDraft(name);
    setDraft(null);
    setTyped(false);
    saving.startFrom(bill);
    form.setFieldsValue(fresh());
  }

  function goTo(field: FieldName) {
    form.scrollToField(field, { focus: true, block: "center" });
  }

  async function saveAs(preBill: boolean) {
    const saved = await save(preBill);
    setAsking(false);
    if (saved === undefined) return;
    setSent(true);
    dropDraft(name);
    guard.release();
    const path = billPath(saved.id);
    if (preBill) toast.saved({ name: nameOf(saved), path });
    else toast.done({ name: t("billing.done", { name: nameOf(saved) }), path });
    if (isShown()) await navigate(billPath(saved.id));
  }

  /**
   * Check everything that a bill needs, then ask for confirmation: its number is permanent. If
   * something is missing, go to the first wrong field.
   */
  async function askToBill() {
    let wrong: FieldName[] = [];
    try {
      await form.validateFields();
    } catch (failed) {
      wrong = (failed as { errorFields: { name: FieldName }[] }).errorFields.map((one) => one.name);
    }
    for (const { of } of missing) {
      form.setFields([{ name: `${of}Id`, errors: [t("missing.required")] }]);
      wrong.push([`${of}Id`]);
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
          busy={busy || sent}
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
          {narrow && <FormGaps missing={missing} goTo={goTo} />}
          <section className="ob-surface ob-section" aria-labelledby="bill-header">
            <h2 id="bill-header">{t("form.header")}</h2>
            <HeaderFields
              fixed={count > 0}
              missing={missing}
              currencyHint={currency.hint}
              onCurrency={currency.choose}
              isExport={start.customRegime !== ""}
              onTyped={onTyped}
            />
          </section>
          <section className="ob-surface ob-section" aria-labelledby="bill-lines">
            <h2 id="bill-lines">{t("form.lines")}</h2>
            {customerId ? (
              <LinePicker key={customerId} customerId={customerId} onConverted={onTyped} />
            ) : (
              <ReadyToBill onChoose={(lines) => void bring(lines)} />
            )}
            <FormTotals />
          </section>
          <footer className="ob-form-bar ob-bill-bar">
            {!narrow && <FormGaps missing={missing} goTo={goTo} />}
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
              {changed.length > 0 ? t("forms:stale.again") : t("form.savePreBill")}
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
            ...totalsOf(typedValues().lines, typedValues().shippingPrice, typedValues().currency),
          }}
          busy={busy}
          onAccept={() => void saveAs(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Has no key of one letter, because a bill's number is permanent. */
function BillButton({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  const { t } = useTranslation("billing");
  const { check } = useFormScope();
  return (
    <SendButton
      disabled={disabled}
      onClick={() => {
        if (check()) onClick();
      }}
    >
      {t("action.bill")}
    </SendButton>
  );
}

/** Shown if another user issued or canceled the pre-bill during editing. */
function ClosedNote({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const who = bill.canceledBy ?? bill.billedBy ?? "";
  return (
    <ConflictNote
      title={t(bill.status === "Canceled" ? "form.wasCanceled" : "form.wasBilled", { who })}
    >
      <Link to={billPath(bill.id)}>{t("form.seeIt")}</Link>
    </ConflictNote>
  );
}

function useFigures() {
  const form = Form.useFormInstance<BillValues>();
  const figures = Form.useWatch(
    ({ lines, shippingPrice, currency }: Partial<BillValues>) => ({
      ...totalsOf(lines ?? [], shippingPrice ?? null, currency ?? ""),
      currency: currency ?? "",
      count: lines?.length ?? 0,
    }),
    form,
  );
  return figures ?? { ...totalsOf([], null, ""), currency: "", count: 0 };
}

/** Totals of the bill while the user types. The server's totals are binding. */
function FormTotals() {
  const { count, ...figures } = useFigures();
  return count > 0 && <Totals {...figures} />;
}

function RunningTotal() {
  const { t } = useTranslation("billing");
  const { count, total, currency } = useFigures();
  return (
    <p className="ob-first ob-large ob-bill-bar__total" role="status">
      {t("linesCount", { count })} ·{" "}
      <strong>
        <Money amount={total} currency={currency} />
      </strong>
    </p>
  );
}

/** Choose the oldest company for a new bill, as the server does. Most workshops have only one. */
function useCompanyByDefault(form: FormInstance<BillValues>, wanted: boolean): void {
  const { data: companies } = useOptions("companies");
  const first = companies?.toSorted((one, other) => one.id - other.id)[0];
  useEffect(() => {
    if (!wanted || first === undefined || form.isFieldTouched("companyId")) return;
    if (form.getFieldValue("companyId") !== null) return;
    form.setFieldsValue({ companyId: first.id, companyName: first.name });
  }, [form, wanted, first]);
}
