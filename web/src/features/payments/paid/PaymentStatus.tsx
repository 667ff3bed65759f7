/** Whether a payment stands. */
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { Chip } from "@/shared/ui/Chip";

export function PaymentStatus({ status }: Pick<Payment, "status">) {
  const { t } = useTranslation("payments");
  return <Chip tone={status === "Paid" ? "good" : "bad"}>{t(`status.${status}`)}</Chip>;
}
