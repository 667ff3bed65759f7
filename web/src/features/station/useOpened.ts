/** The line that stands open at a station, by a scan or by a touch, and what the server says of it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Station, StationScan } from "@/contract";
import { patchStation } from "@/live/station";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { STATION } from "@/shared/http/keys";
import { errorText } from "@/shared/ui/errors";
import { lineOf, nameOf, unmoved, type Work } from "./possible";
import type { Show } from "./StationScreen";
import { nameWorker, scanAt } from "./station.api";

const SHORT_CODE = /^\s*([1-9]\d*)-([1-9]\d*)\s*$/;

/** No code of a sheet begins so. */
const BADGE = /^\s*B1/i;

export interface Opened {
  work: Work;
  /** What the person came for; null where he is to choose. */
  direction: "in" | "out" | null;
  /** What the server said when it was asked; null until then. */
  scan: StationScan | null;
}

interface Chosen {
  name: string;
  direction: "in" | "out" | null;
  scan: StationScan | null;
}

export function useOpened(station: Station, work: ReadonlyMap<string, Work>, show: Show) {
  const { t } = useTranslation("station");
  const { put } = useAnswers();
  const id = station.process.productionProcessId;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [turn, setTurn] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);

  function begin(next: Chosen): void {
    setProblem(null);
    setChosen(next);
    setTurn((before) => before + 1);
  }

  async function ask(code: string): Promise<StationScan> {
    const found = await scanAt(id, code);
    await put(
      STATION,
      { path: { process_id: id } },
      (kept) => kept && patchStation(kept, found.line),
    );
    return found;
  }

  /** What is known here is shown at once; the server adds the picture and where it may go next. */
  async function open(line: Work, direction: "in" | "out" | null): Promise<void> {
    const name = nameOf(line);
    begin({ name, direction, scan: null });
    try {
      const found = await ask(name);
      setChosen((now) => (now?.name === name ? { ...now, scan: found } : now));
    } catch (reason) {
      const error = asApiError(reason);
      if (!error.isOffline) setProblem(errorText(error)); // Offline, what is known here is enough.
    }
  }

  function refuse(words: string): false {
    setProblem(words);
    show("no");
    return false;
  }

  async function nameBy(badge: string): Promise<boolean> {
    try {
      await nameWorker({ badge }, id);
    } catch (reason) {
      const error = asApiError(reason);
      return refuse(error.isOffline ? t("operator.offline") : errorText(error));
    }
    setProblem(null);
    show("yes");
    return true;
  }

  /** A code that was scanned or typed: a sheet's, or a badge's. False where it leads nowhere. */
  async function take(code: string): Promise<boolean> {
    if (BADGE.test(code)) return nameBy(code.trim());
    const short = SHORT_CODE.exec(code);
    const known = short === null ? undefined : work.get(`${short[1]}-${short[2]}`);
    if (known !== undefined) {
      void open(known, known.maxOut > 0 ? "out" : "in");
      return true;
    }
    setProblem(t("scan.reading"));
    try {
      const found = await ask(code);
      const { direction } = found;
      begin({
        name: nameOf(found.line),
        direction: direction === "in" || direction === "out" ? direction : null,
        scan: found,
      });
      if (direction === "none") show("no");
      return true;
    } catch (reason) {
      const error = asApiError(reason);
      if (error.isOffline) {
        return refuse(short === null ? t("scan.offline") : t("scan.unknownHere", { code }));
      }
      return refuse(errorText(error));
    }
  }

  return {
    line: chosen === null ? null : openedOf(chosen, work),
    turn,
    problem,
    open: (line: Work, direction: "in" | "out") => void open(line, direction),
    scan: take,
    close: () => setChosen(null),
  };
}

function openedOf(
  { name, direction, scan }: Chosen,
  work: ReadonlyMap<string, Work>,
): Opened | null {
  const known = work.get(name);
  const image = scan?.line.image ?? known?.image ?? null;
  if (known !== undefined) return { work: { ...known, image }, direction, scan };
  // The lists hold no line of which nothing may be moved here.
  return scan === null ? null : { work: unmoved(lineOf(scan.line, image)), direction, scan };
}
