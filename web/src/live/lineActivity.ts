/** Find the last activity of a line, from an event or from its records, and put it into words. */
import { useTranslation } from "react-i18next";
import type { Line, LineEvent, LineStatus, LiveEvent, ProcessRecord } from "@/contract";

export type LineActivity = { who: string | null; at: string } & (
  | { kind: "in" | "out" | "scrap" | "release" | "undo"; process: string; pieces: number }
  | { kind: "status"; status: LineStatus }
  | { kind: "change" }
);

/** Describe an event by its newest record. The pieces are those of all records that moved at the same instant. */
export function activityOf({ type, at, by, data }: LineEvent): LineActivity {
  const common = { who: by?.fullName ?? null, at };
  if (type === "line.status-changed") {
    return { ...common, kind: "status", status: data.status as LineStatus };
  }
  if (type === "line.changed" || data.record === null) return { ...common, kind: "change" };
  const { record } = data;
  const process = record.productionProcessName;
  if (type === "line.released") {
    return {
      ...common,
      kind: isUndone(record) ? "undo" : "release",
      process,
      pieces: record.quantity,
    };
  }
  const kind = record.outputDate === null ? "in" : "out";
  const moment = kind === "in" ? record.inputDate : record.outputDate;
  const together = data.records.filter(
    (each) =>
      each.productionProcessId === record.productionProcessId &&
      (kind === "in" ? each.inputDate : each.outputDate) === moment,
  );
  const pieces = together.reduce((sum, { quantity }) => sum + quantity, 0) || record.quantity;
  const isScrap = kind === "out" && record.scrapReason !== null;
  return { ...common, kind: isScrap ? "scrap" : kind, process, pieces };
}

/** Whether the record's last release was an undo. */
function isUndone({ deletedDate, undone, releasedExits }: ProcessRecord): boolean {
  return deletedDate === null ? releasedExits.at(-1)?.undone === true : undone;
}

/** The newest activity in the line's records; null if it has none. */
export function lastActivity({
  productionProcesses,
}: Pick<Line, "productionProcesses">): LineActivity | null {
  const all = productionProcesses.flatMap(activitiesOf);
  return all.toSorted((one, other) => other.at.localeCompare(one.at))[0] ?? null;
}

function activitiesOf(record: ProcessRecord): LineActivity[] {
  const { productionProcessName: process, quantity: pieces } = record;
  const found: LineActivity[] = [
    { kind: "in", who: record.inputUsername, at: record.inputDate, process, pieces },
  ];
  if (record.outputDate !== null) {
    const kind = record.scrapReason === null ? "out" : "scrap";
    found.push({ kind, who: record.outputUsername, at: record.outputDate, process, pieces });
  }
  if (record.deletedDate !== null) {
    found.push({
      kind: record.undone ? "undo" : "release",
      who: record.releasedBy,
      at: record.deletedDate,
      process,
      pieces,
    });
  }
  for (const { releasedBy, releasedDate, undone } of record.releasedExits) {
    const kind = undone === true ? "undo" : "release";
    found.push({ kind, who: releasedBy, at: releasedDate, process, pieces });
  }
  return found;
}

/** Put an activity into words in the user's language: "Luis Vega entered 10 pieces into Casting". */
export function useActivityText(): (activity: LineActivity, own?: boolean) => string {
  const { t } = useTranslation(["orders", "shared"]);
  return (activity, own = false) => {
    const who = own ? t("happened.you") : (activity.who ?? t("happened.somebody"));
    switch (activity.kind) {
      case "in":
      case "out":
      case "scrap": {
        const pieces = t("pieces", { count: activity.pieces });
        return t(`happened.${activity.kind}`, { who, pieces, process: activity.process });
      }
      case "release":
      case "undo":
        return t(`happened.${activity.kind}`, { who, process: activity.process });
      case "status":
        return t("happened.status", { who, status: t(`shared:status.${activity.status}`) });
      case "change":
        return t("happened.change", { who });
    }
  };
}

export function isAbout(
  event: LiveEvent,
  { salesOrderId, position }: Pick<Line, "salesOrderId" | "position">,
): event is LineEvent {
  const { data } = event;
  // A new forecast is not an activity of a person, and a message does not change the line.
  return (
    event.type.startsWith("line.") &&
    event.type !== "line.forecast" &&
    event.type !== "line.message" &&
    "position" in data &&
    data.salesOrderId === salesOrderId &&
    data.position === position
  );
}
