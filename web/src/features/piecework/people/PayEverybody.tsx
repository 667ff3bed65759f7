/** Pay everybody who is owed something for the days, after one question. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Owed } from "@/contract";
import { sumOf } from "@/shared/format/money";
import { plantCurrency } from "@/shared/format/plant";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { together } from "../basket";
import type { Paid } from "../pay/PaidNote";
import { PayQuestion } from "../pay/PayQuestion";
import { usePayWords } from "../pay/usePayWords";
import { loadOwed, payPeople, useReloadPayments } from "../piecework.api";
import type { Days } from "./period";

interface Props {
  people: readonly Owed[];
  days: Days;
  onPaid: (paid: Paid) => void;
  onClose: () => void;
}

export function PayEverybody({ people, days, onPaid, onClose }: Props) {
  const { t } = useTranslation("piecework");
  const { payTo } = usePayWords();
  const reload = useReloadPayments();
  // Send exactly what the question says: live changes must not change an amount under the button.
  const [asked, setAsked] = useState(() => together(people));
  /** Names of the people for whom the amount in the question was no longer right. */
  const [changed, setChanged] = useState<readonly string[]>([]);
  const { submit, busy } = useSubmit((headers, owed: readonly Owed[]) =>
    payPeople(headers, {
      ...days,
      people: owed.map(({ userId, records, pieces, amount }) => ({
        userId,
        records,
        pieces,
        amount,
      })),
    }),
  );
  const to = asked.map((one) => ({
    id: one.userId,
    name: one.fullName,
    pieces: one.pieces,
    total: one.amount,
  }));
  const total = sumOf(
    asked.map(({ amount }) => amount),
    plantCurrency(),
  );

  async function pay() {
    try {
      const made = await submit(asked);
      if (made === undefined) return;
      toast.success(payTo("done", total, to));
      onPaid({ paymentIds: made.map(({ id }) => id), total, to });
      onClose();
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code === "owed_changed") await askAgain(error.params["userIds"] as number[]);
      else toastError(error);
    }
    reload();
  }

  /** Ask again, with the amounts that the people are owed now. */
  async function askAgain(userIds: readonly number[]) {
    try {
      const now = together(await loadOwed(days));
      if (now.length === 0) {
        toast.note(t("people.paidMeanwhile"));
        onClose();
        return;
      }
      setChanged(asked.filter((one) => userIds.includes(one.userId)).map((one) => one.fullName));
      setAsked(now);
    } catch (failure) {
      toastError(failure);
    }
  }

  return (
    <PayQuestion
      total={total}
      to={to}
      people={to}
      busy={busy}
      onAnswer={(yes) => {
        if (yes) void pay();
        else if (!busy) onClose();
      }}
    >
      {changed.length > 0 && (
        <p className="ob-note ob-note--warning ob-below" role="alert">
          {t("people.changed", { names: changed.join(", ") })}
        </p>
      )}
      <p className="ob-quiet ob-below">
        {days.from === undefined && days.to === undefined
          ? t("people.all")
          : t("people.ofDays", { from: days.from ?? "…", to: days.to ?? "…" })}
      </p>
      {asked.length < people.filter(({ records }) => records > 0).length && (
        <p className="ob-quiet ob-below">{t("people.notAll", { count: asked.length })}</p>
      )}
    </PayQuestion>
  );
}
