/**
 * Handle the currency of a bill in the form. It starts with the customer's, and asks before typed
 * amounts get another currency.
 */
import type { FormInstance } from "antd/es/form";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/shared/http/ApiError";
import { toastError } from "@/shared/ui/errors";
import { typedIn } from "@/shared/form/FormParts";
import { loadCurrencies } from "../billing.api";
import { emptied, inCurrency, typedAmounts } from "./currency";
import { CurrencyDialog } from "./CurrencyDialog";
import type { BillValues } from "./values";

export function useCurrency(form: FormInstance<BillValues>, onChanged: () => void) {
  const { t } = useTranslation("billing");
  const [asked, setAsked] = useState<{ from: string; to: string; count: number } | null>(null);
  const [hint, setHint] = useState<string | undefined>();
  // While no currency is chosen, typed amounts are still in this one.
  const before = useRef("");

  function take(to: string, amounts: typeof emptied | typeof inCurrency, from: string) {
    const values = typedIn(form);
    form.setFieldsValue({ ...amounts(values, from, to), currency: to });
    setHint(undefined);
    setAsked(null);
    onChanged();
  }

  /** Change the currency. Asks first if the user typed amounts in another. */
  function choose(to: string) {
    const values = typedIn(form);
    const from = values.currency || before.current;
    const count = from === "" || from === to ? 0 : typedAmounts(values, from);
    before.current = from;
    if (count > 0) setAsked({ from, to, count });
    else take(to, inCurrency, from);
  }

  /**
   * Start with the customer's currency. If their last bill had another one, leave the choice to the
   * user.
   */
  function begin(customer: string, last: string | null) {
    if (last === null || last === customer) return choose(customer);
    before.current = form.getFieldValue("currency") || before.current;
    form.setFieldsValue({ currency: "" });
    setHint(t("currency.differs", { customer, last }));
    onChanged();
  }

  /** Start with the currency of the customer just chosen. */
  async function startWith(customerId: number) {
    try {
      const { customer, last } = await loadCurrencies(customerId);
      if (form.getFieldValue("customerId") === customerId) begin(customer, last);
    } catch (reason) {
      toastError(asApiError(reason));
    }
  }

  const question = asked !== null && (
    <CurrencyDialog
      {...asked}
      onKeep={() => setAsked(null)}
      onEmpty={() => take(asked.to, emptied, asked.from)}
      onRelabel={() => take(asked.to, inCurrency, asked.from)}
    />
  );
  return { choose, startWith, hint, question };
}
