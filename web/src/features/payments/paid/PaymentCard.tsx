/** A payment where the window is too narrow for a table. */
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { Money } from "@/shared/ui/Money";
import { piecesOf, wordsOf } from "./columns";
import { PaymentStatus } from "./PaymentStatus";

export function PaymentCard({ payment, onOpen }: { payment: Payment; onOpen: () => void }) {
  const { t } = useTranslation("payments");
  return (
    <button type="button" className="ob-payment-card" onClick={onOpen}>
      <span className="ob-card__row">
        <strong>{payment.username ?? `#${payment.id}`}</strong>
        <Money amount={payment.total} currency={payment.currency} />
      </span>
      <span className="ob-card__row">
        <span className="ob-quiet">
          {payment.date} · {t("pieces", { count: piecesOf(payment) })}
        </span>
        <PaymentStatus status={payment.status} />
      </span>
      {wordsOf(payment) !== "" && <span className="ob-card__long">{wordsOf(payment)}</span>}
    </button>
  );
}
