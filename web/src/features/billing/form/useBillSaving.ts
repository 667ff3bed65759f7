/** Save the form of a bill. Shows refusals beside their fields and keeps all typed values. */
import type { FormInstance } from "antd/es/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { differences, pick } from "@/shared/form/changes";
import { showRefusal, typedIn } from "@/shared/form/FormParts";
import type { StaleRow } from "@/shared/form/notes";
import { formatMoney } from "@/shared/format/numbers";
import { orNothing } from "@/shared/format/typedNumber";
import { useSubmit } from "@/shared/ui/useSubmit";
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
  /** Return the saved bill, or undefined if it was refused. The form then shows why. */
  save: (preBill: boolean) => Promise<Delivery | undefined>;
  busy: boolean;
  /** The version that this form is based on; undefined for a new bill. */
  known: Delivery | undefined;
  /** What other users changed since the form was loaded. */
  changed: StaleRow[];
  /** Base the form on this bill. */
  startFrom: (bill: Delivery | undefined) => void;
}

export function useBillSaving(
  form: FormInstance<BillValues>,
  first: Delivery | undefined,
): BillSaving {
  const { t } = useTranslation("billing");
  const describe = useDescribe();
  const { afterWrite, reload } = useAnswers();
  const [known, setKnown] = useState(first);
  const [changed, setChanged] = useState<StaleRow[]>([]);
  const typed = () => typedIn(form);
  const { submit, busy } = useSubmit((headers, values: BillValues, preBill: boolean) => {
    const body = billBody(values);
    if (known === undefined) return createBill(headers, { ...body, preBill });
    const touched = withMoney(differences(billBody(valuesOf(known)), body, FIELDS));
    return updateBill(headers, known, { ...pick(body, touched), preBill });
  });

  async function save(preBill: boolean): Promise<Delivery | undefined> {
    try {
      const saved = await submit(typed(), preBill);
      if (saved !== undefined) afterWrite(BILL_LISTS);
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

  /**
   * Handle a conflict: show what others changed, and take over the fields that the user did not
   * edit.
   */
  async function follow(error: ApiError): Promise<void> {
    void reload(at(BILLABLE));
    const explained = known !== undefined && (await takeOver(known));
    if (error.status !== 412 || !explained) showRefusal(form, besideFields(error));
  }

  /**
   * Merge the newest version of the bill into the form. Returns whether it differs from the known
   * version.
   */
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

/** Mark a refused line at its quantity, because its order and position have no fields. */
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

/** Return a function that formats a field's value, to show what others changed. */
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
