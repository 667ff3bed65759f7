/**
 * The sentence about where a line is and how late, the same on every screen. See
 * infra/docs/rules.md#standing.
 */
import type { TFunction } from "i18next";
import type { Line, LineDocument, ProcessRef } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { daysSince, minutesSince, today } from "@/shared/format/plant";
import type { Language } from "@/shared/language";

export type StandingLine = Pick<
  LineDocument,
  "status" | "quantityBilled" | "quantityGood" | "waiting" | "standing"
> &
  Pick<Line, "inside">;

/** Returns the name of a process. */
type NameOf = (id: number) => string;

type Named = Extract<Line["inside"][number], ProcessRef>;

const ofCustomer = (pieces: Named, language: Language) =>
  (language === "en" && pieces.productionProcessNameEnglish) || pieces.productionProcessName;

/**
 * Make the two parts of the sentence. `late` is the last part; it is empty unless the line is late.
 */
export function standingWords(
  line: StandingLine,
  now: number,
  t: TFunction<"standing">,
  language: Language,
  nameOf: NameOf,
): { where: string; late: string } {
  const days = line.standing.lateDays;
  return {
    where: whereWords(line, now, t, language, nameOf),
    late: days > 0 ? t("late", { count: days }) : "",
  };
}

/** The whole sentence as text, for places that hold no elements. */
export function standingText(...asked: Parameters<typeof standingWords>): string {
  const { where, late } = standingWords(...asked);
  return late === "" ? where : `${where}, ${late}`;
}

function whereWords(
  line: StandingLine,
  now: number,
  t: TFunction<"standing">,
  language: Language,
  nameOf: NameOf,
): string {
  const number = (pieces: number) => formatNumber(pieces, language);
  const { standing, waiting, quantityBilled, quantityGood } = line;
  switch (standing.kind) {
    case "done": {
      if (quantityGood === 0) return t("doneScrapped");
      if (quantityBilled > 0 && quantityBilled < quantityGood) {
        const counts = { billed: number(quantityBilled), quantity: number(quantityGood) };
        return t("billedInPart", counts);
      }
      return t("done");
    }
    case "scrapped":
      return t("scrapped");
    case "closed":
      return t(line.status === "Canceled" ? "canceled" : "invoiced");
    case "notStarted": {
      if (line.status === "New") return t("new");
      const [first] = waiting;
      return first === undefined
        ? t("notStarted")
        : t("notStartedFor", { process: nameOf(first.productionProcessId) });
    }
    default: {
      const parts = [
        ...insideParts(line, now, t, number, language, nameOf),
        ...waitingParts(line, now, t, number, nameOf),
      ];
      if (parts.length > 0) return parts.join("; ");
      // Customers are not told which process is next.
      return t(standing.nextProcesses?.length === 0 ? "throughAll" : "between");
    }
  }
}

/** Make one part for each process with pieces inside, in the order of the oldest entries. */
function insideParts(
  { inside }: StandingLine,
  now: number,
  t: TFunction<"standing">,
  number: (pieces: number) => string,
  language: Language,
  nameOf: NameOf,
): string[] {
  const processes = [...new Set(inside.map(({ productionProcessId }) => productionProcessId))];
  return processes.map((id) => {
    const entries = inside.filter(({ productionProcessId }) => productionProcessId === id);
    const first = entries[0]!;
    const process = "productionProcessName" in first ? ofCustomer(first, language) : nameOf(id);
    const people = [...new Set(entries.map(({ by }) => by))].filter((name) => name !== "");
    const pieces = entries.reduce((sum, { quantity }) => sum + quantity, 0);
    const [age, ...others] = new Set(entries.map(({ since }) => ageWords(since, now, t)));
    const said = { pieces: number(pieces), process, age, people: people.join(", ") };
    if (people.length === 0) return t(others.length === 0 ? "inside" : "insideFirst", said);
    return t(others.length === 0 ? "insideWith" : "insideWithFirst", said);
  });
}

function waitingParts(
  { waiting }: StandingLine,
  now: number,
  t: TFunction<"standing">,
  number: (pieces: number) => string,
  nameOf: NameOf,
): string[] {
  return waiting.map((pieces) => {
    const { productionProcessId, fromProductionProcessId: from } = pieces;
    const said = {
      count: pieces.quantity,
      pieces: number(pieces.quantity),
      process: nameOf(productionProcessId),
      from: from === null ? "" : nameOf(from),
      by: pieces.by,
    };
    if (pieces.since === null) return t("waits", said);
    const since = { ...said, age: ageWords(pieces.since, now, t) };
    if (said.from === "") return t("waitsSince", since);
    return t(said.by === "" ? "waitsFrom" : "waitsFromBy", since);
  });
}

const HOUR = 60;
/** In minutes. */
export const DAY = 24 * HOUR;

/** An age as people say it: minutes, hours up to two days, then days of the plant's calendar. */
export function ageWords(since: string, now: number, t: TFunction<"standing">): string {
  const minutes = minutesSince(since, now);
  if (minutes < 2 * DAY) return durationWords(minutes, t);
  return t("age.days", { count: daysSince(since, today(new Date(now))) });
}

/** A duration as people say it, rounded down. */
export function durationWords(minutes: number, t: TFunction<"standing">): string {
  if (minutes < 1) return t("age.moment");
  if (minutes < HOUR) return t("age.minutes", { count: Math.floor(minutes) });
  if (minutes < 2 * DAY) return t("age.hours", { count: Math.floor(minutes / HOUR) });
  return t("age.days", { count: Math.floor(minutes / DAY) });
}
