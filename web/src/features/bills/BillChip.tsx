/** Whether it is a pre-bill, a bill or a canceled one, in a word and a colour. */
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { Chip, type Tone } from "@/shared/ui/Chip";

const TONES: Record<Delivery["status"], Tone> = {
  PreBill: "warning",
  Billed: "good",
  Canceled: "bad",
};

export function BillChip({ status }: { status: Delivery["status"] }) {
  const { t } = useTranslation("shared");
  return <Chip tone={TONES[status]}>{t(`status.${status}`)}</Chip>;
}
