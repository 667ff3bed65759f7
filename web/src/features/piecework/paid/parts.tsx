/** Parts of a payment: its pieces, notes and status. */
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";

export const piecesOf = ({ items }: Payment) =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Return the notes of a payment; for a canceled one, the reason of the cancellation if there is
 * one.
 */
export const wordsOf = ({ notes, cancelNotes }: Payment) =>
  cancelNotes === "" ? notes : cancelNotes;

export function PaymentStatus({ status }: Pick<Payment, "status">) {
  const { t } = useTranslation("piecework");
  const look = status === "Paid" ? "ob-chip--good" : "ob-chip--Canceled";
  return <span className={`ob-chip ${look}`}>{t(`status.${status}`)}</span>;
}

export function Pieces({ of }: { of: Payment }) {
  return formatNumber(piecesOf(of), useLanguage());
}
