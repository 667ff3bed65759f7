/** How long the line's pieces have been where they are: days in the process, by the oldest that is still inside. */
import { useTranslation } from "react-i18next";
import type { LineRow } from "@/contract";
import { piecesByProcess } from "../line/pieces";
import { daysInside } from "./days";

export function DaysInside({ line, now }: { line: LineRow; now: number }) {
  const { t } = useTranslation("orders");
  const days = daysInside(piecesByProcess(line), now);
  if (days === null) return <span className="ob-quiet">{t("none")}</span>;
  return <span>{days === 0 ? t("lines.today") : t("lines.days", { count: days })}</span>;
}
