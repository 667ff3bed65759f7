/** Show who changed the line while the popup was open, and what is left of it now. */
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { formatTime } from "@/shared/format/plant";
import { StatusChip } from "@/shared/ui/Chip";
import { useActivityText } from "@/live/lineActivity";
import { processChip } from "../line/pieces";
import type { Race } from "./useLineWrite";

interface Props {
  race: Race;
  line: Line;
  /** What is left for the chosen movement: "8 are still inside". */
  left?: string | undefined;
}

export function RaceNote({ race, line, left }: Props) {
  const { t } = useTranslation("orders");
  const say = useActivityText();
  const { at } = race.activity;
  return (
    <div className="ob-stack ob-stack--tight ob-note ob-note--warning ob-below" role="alert">
      <p className="ob-doubtful ob-strong">{t(race.lost ? "race.title" : "race.changed")}</p>
      <p>
        {say(race.activity, race.own)}
        {left !== undefined && `; ${left}`}
        {at !== "" && <span className="ob-quiet"> · {formatTime(at)}</span>}
      </p>
      <LineNow line={line} />
    </div>
  );
}

function LineNow({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  const chip = processChip(line);
  return (
    <p className="ob-words">
      <span>{t("race.now")}</span>
      <StatusChip status={line.status} />
      {chip?.kind === "out" && <strong>{chip.process}</strong>}
      <span>{t("race.insideNow", { inside: line.quantityInside, quantity: line.quantity })}</span>
    </p>
  );
}
