/** Who was quicker, and what the line is now. */
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { formatTime } from "@/shared/format/plantClock";
import { StatusChip } from "@/shared/ui/StatusChip";
import { useHappeningText } from "../line/HappeningText";
import { processChip } from "../line/pieces";
import type { Race } from "./useLineWrite";

export function RaceNote({ race, line }: { race: Race; line: Line }) {
  const { t } = useTranslation("orders");
  const say = useHappeningText();
  const { at } = race.happening;
  return (
    <div className="ob-race" role="alert">
      <p className="ob-race__title">{t("race.title")}</p>
      <p>
        {say(race.happening)}
        {at !== "" && <span className="ob-race__time"> · {formatTime(at)}</span>}
      </p>
      <p className="ob-race__message">{race.message}</p>
      <LineNow line={line} />
    </div>
  );
}

/** The line's state in one row. */
function LineNow({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  const chip = processChip(line);
  return (
    <p className="ob-race__now">
      <span>{t("race.now")}</span>
      <StatusChip status={line.status} />
      {chip.kind === "out" && <strong>{chip.process}</strong>}
      <span>{t("race.insideNow", { inside: line.quantityInside, quantity: line.quantity })}</span>
    </p>
  );
}
