/**
 * Track what others pay while the user fills in a payment: by events, and by a refusal. Keeps typed
 * values.
 */
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { useLiveEvents } from "@/live/LiveProvider";
import { formatInstant } from "@/shared/format/plant";
import type { ApiError } from "@/shared/http/ApiError";
import { useSignedIn } from "@/shared/session/session";
import { mgOf, type Basket } from "../basket";

interface Meanwhile {
  /** Absent if the user may not read payments. */
  paymentId?: number;
  paidBy?: string;
  paidAt?: string;
  records: number;
}

interface Left {
  processRecordId: number;
  remainingQuantity: number;
}

export interface Overtaken {
  /** The records with pieces left, and how many are left. */
  basket: Basket;
  /** What others paid in the meantime, latest last. */
  meanwhile: readonly Meanwhile[];
  /** Apply what a refused payment says about the records. */
  take: (refusal: ApiError) => void;
}

export function useOvertaken(first: Basket): Overtaken {
  const me = useSignedIn().user.id;
  const [left, setLeft] = useState<ReadonlyMap<number, number>>(new Map());
  const [meanwhile, setMeanwhile] = useState<readonly Meanwhile[]>([]);
  // Record → time of the last payment that a refusal has already counted, in ms. The events of that
  // payment and of earlier ones may still arrive.
  const counted = useRef(new Map<number, number>());
  const say = (news: readonly Meanwhile[]) =>
    setMeanwhile((said) => [
      ...said.filter(({ paymentId }) => !news.some((one) => one.paymentId === paymentId)),
      ...news,
    ]);

  useLiveEvents(({ type, by, data }) => {
    if (type !== "payment.changed" || data.payment === null || by?.id === me) return;
    const { id, status, items, createdAt } = data.payment;
    const ours = items.filter(({ processRecordId }) => first.has(processRecordId));
    if (ours.length === 0) return;
    const paid = status === "Paid" ? 1 : -1;
    const isCounted = (record: number) =>
      paid > 0 && Date.parse(createdAt) <= (counted.current.get(record) ?? -Infinity);
    setLeft((was) => {
      const now = new Map(was);
      for (const { processRecordId, quantity } of ours) {
        if (isCounted(processRecordId)) continue;
        const most = first.get(processRecordId)?.remainingQuantity ?? 0;
        const before = now.get(processRecordId) ?? most;
        now.set(processRecordId, Math.max(0, Math.min(most, before - paid * quantity)));
      }
      return now;
    });
    if (paid > 0 && by !== null) {
      say([{ paymentId: id, paidBy: by.fullName, paidAt: createdAt, records: ours.length }]);
    } else setMeanwhile((said) => said.filter(({ paymentId }) => paymentId !== id));
  });

  function take({ params }: ApiError) {
    const records = (params["records"] ?? []) as Left[];
    const paid = params["paid"] as Meanwhile[] | undefined;
    const latest = Math.max(...(paid ?? []).map(({ paidAt }) => Date.parse(paidAt ?? "")));
    for (const { processRecordId } of records) counted.current.set(processRecordId, latest);
    setLeft(
      (was) =>
        new Map([
          ...was,
          ...records.map((one) => [one.processRecordId, one.remainingQuantity] as const),
        ]),
    );
    say(paid ?? [{ records: records.length }]);
  }

  const basket = useMemo(
    () =>
      new Map(
        [...first]
          .map(([id, row]) => [id, rest(row, left.get(id))] as const)
          .filter(([, row]) => row.remainingQuantity > 0),
      ),
    [first, left],
  );
  return { basket, meanwhile, take };
}

/** Return the record with the pieces left to pay, and their grams. */
function rest(row: Payable, remainingQuantity = row.remainingQuantity): Payable {
  const paid = mgOf(row, row.remainingQuantity - remainingQuantity);
  if (paid === null || row.remainingGrams === null) return { ...row, remainingQuantity };
  const mg = Math.round(row.remainingGrams * 1000) - paid;
  return { ...row, remainingQuantity, remainingGrams: mg / 1000 };
}

/** Show what others paid in the meantime, and how many records are left. */
export function OvertakenNote({ basket, meanwhile }: Omit<Overtaken, "take">) {
  const { t } = useTranslation("piecework");
  if (meanwhile.length === 0) return null;
  return (
    <div className="ob-note ob-note--warning ob-below ob-stale" role="alert">
      {meanwhile.map(({ paymentId, paidBy, paidAt, records }) => (
        <p key={paymentId ?? 0} className="ob-doubtful ob-strong">
          {paidBy === undefined
            ? t("overtaken.somebody", { count: records })
            : t("overtaken.by", {
                who: paidBy,
                count: records,
                at: formatInstant(paidAt),
                id: paymentId,
              })}
        </p>
      ))}
      <p>
        {basket.size === 0 ? t("overtaken.nothing") : t("overtaken.left", { count: basket.size })}
      </p>
    </div>
  );
}
