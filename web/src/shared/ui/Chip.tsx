/** A status in words and colour: active, inactive, locked. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery, LineStatus, OrderStatus } from "@/contract";
import "./ui.css";

export type Tone = "good" | "quiet" | "warning" | "bad";

export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`ob-chip ob-chip--${tone}`}>{children}</span>;
}

/** The chip of a record that forms offer, or of an inactive one. */
export function ActiveChip({ active }: { active: boolean }) {
  const { t } = useTranslation("forms");
  return <Chip tone={active ? "good" : "quiet"}>{t(active ? "active" : "inactive")}</Chip>;
}

/** The status of an order, a line or a bill. A state has one colour wherever it is shown. */
export function StatusChip({ status }: { status: LineStatus | OrderStatus | Delivery["status"] }) {
  const { t } = useTranslation("shared");
  return <span className={`ob-chip ob-chip--${status}`}>{t(`status.${status}`)}</span>;
}
