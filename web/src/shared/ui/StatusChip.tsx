/** The status of an order or a line, in words and colour. */
import { useTranslation } from "react-i18next";
import type { LineStatus, OrderStatus } from "@/contract";
import "./StatusChip.css";

export function StatusChip({ status }: { status: LineStatus | OrderStatus }) {
  const { t } = useTranslation("shared");
  return <span className={`ob-chip ob-chip--${status}`}>{t(`status.${status}`)}</span>;
}
