/** Saves the form of a bill; refusals stand beside what they are about, and nothing that was typed is lost. */
import type { FormInstance } from "antd/es/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { differences, pick } from "@/shared/form/changes";
import { showRefusal } from "@/shared/form/FormParts";
import type { StaleRow } from "@/shared/form/notes";
import { formatMoney } from "@/shared/format/numbers";
import { orNothing } from "@/shared/format/typedNumber";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { ApiError, asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { ADDRESSES, at, BILLABLE } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { createBill, loadBill, updateBill } from "../billing.api";
import { BILL_LISTS } from "../useBillAction";
import { withMoney } from "./currency";
import { billBody, FIELDS, valuesOf, type BillValues, type Field } from "./values";

const NAMES = { customerId: "customerName", companyId: "companyName" } as const;

export interface BillSaving {
  /** The saved bill, or undefined where it was refused; the form says why. */
  save: (preBill: boolean) => Promise<Delivery | undefined>;
  busy: boolean;
  /** The bill as this form knows it; undefined for a new one. */
  known: Delivery | undefined;
  /** What somebody else changed meanwhile. */
  changed: StaleRow[];
  /** From now on what is typed is typed over this. */
  startFrom: (bill: Delivery | undefined) => void;
}

export function useBillSaving(
  form: FormInstance<BillValues>,
  first: Delivery | undefined,
): BillSaving {
  const { t } = useTranslation("billing");
  const describe = useDescribe();
  const { reload } = useAnswers();
  const [known, setKnown] = useState(first);
  const [changed, setChanged] = useState<StaleRow[]>([]);
  const typed = () => form.getFieldsValue(true) as BillValues;
  const { submit, busy } = useSubmit((headers, values: BillValues, preBill: boolean) => {
    const body = billBody(values);
    if (known === undefined) return createBill(headers, { ...body, preBill });
    const touched = withMoney(differences(billBody(valuesOf(known)), body, FIELDS));
    return updateBill(headers, known, { ...pick(body, touched), preBill });
  });

  async function save(preBill: boolean): Promise<Delivery | undefined> {
    try {
      const saved = await submit(typed(), preBill);
      if (saved !== undefined) void reload(BILL_LISTS);
      return saved;
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code === "commercial_address_required") void reload(at(ADDRESSES));
      try {
        if (error.isConflict) await follow(error);
        else showRefusal(form, besideFields(error));
      } catch (failure) {
        showRefusal(form, failure);
      }
      return undefined;
    }
  }

  /** Somebody was quicker: what they changed is said, and taken where this person typed nothing. */
  async function follow(error: ApiError): Promise<void> {
    void reload(at(BILLABLE));
    const explained = known !== undefined && (await takeOver(known));
    if (error.status !== 412 || !explained) showRefusal(form, besideFields(error));
  }

  /** Whether the newest bill says anything else than the one known before. */
  async function takeOver(before: Delivery): Promise<boolean> {
    const now = await loadBill(before.id);
    const [was, is] = [valuesOf(before), valuesOf(now)];
    const mine = new Set<string>(withMoney(differences(billBody(was), billBody(typed()), FIELDS)));
    const theirs = differences(billBody(was), billBody(is), FIELDS);
    const taken = theirs.filter((field) => !mine.has(field));
    const names = taken.map((field) => NAMES[field as keyof typeof NAMES]);
    form.setFieldsValue(pick(is, [...taken, ...names]));
    setKnown(now);
    setChanged(
      theirs.map((field) => ({
        label: t(`field.${field}`),
        before: describe(field, was),
        now: describe(field, is),
      })),
    );
    return theirs.length > 0;
  }

  function startFrom(bill: Delivery | undefined) {
    setKnown(bill);
    setChanged([]);
  }

  return { save, busy, known, changed, startFrom };
}

/** A refused line is marked at its quantity: its place was ticked, not typed. */
function besideFields(error: ApiError): ApiError {
  const errors = error.errors.map((row) => ({
    ...row,
    field: row.field.replace(/^(lines\.\d+)\.(position|salesOrderId)$/, "$1.quantity"),
  }));
  return new ApiError(error.status, {
    code: error.code,
    message: error.message,
    params: { ...error.params },
    errors,
  });
}

/** How a field of a bill and its value are read, for what others changed. */
function useDescribe(): (field: Field, values: BillValues) => string {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  return (field, values) => {
    switch (field) {
      case "customerId":
        return values.customerName;
      case "companyId":
        return values.companyName;
      case "shippingPrice":
        return formatMoney(orNothing(values.shippingPrice), values.currency, language);
      case "lines":
        return values.lines
          .map((line) =>
            t("lines.spoken", {
              place: t("lines.place", { po: line.customerSalesOrderId, position: line.position }),
              quantity: orNothing(line.quantity),
              price: formatMoney(orNothing(line.price), values.currency, language),
            }),
          )
          .join("; ");
      default:
        return values[field] ?? "";
    }
  };
}
