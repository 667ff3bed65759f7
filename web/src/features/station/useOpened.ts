/** Hold the line opened at a station, by a scan or a touch, and the server's answer about it. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Station, StationScan } from "@/contract";
import { mayEnter, mayLeave } from "@/live/mask";
import { stationWith } from "@/live/stations";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { STATION } from "@/shared/http/keys";
import { acceptScan, refuseScan } from "@/entities/scanning/answering";
import { draftOfPart } from "@/entities/scrapping/part";
import { errorText } from "@/shared/ui/errors";
import { useTrays } from "@/entities/weight/weighedWith";
import { draftOf, isWeightRefusal, NO_WEIGHTS } from "@/entities/weight/weights";
import { nameOf, weighsAt, workOfScan } from "./possible";
import type { Movement, Refused } from "./queue/storage";
import { nameWorker, scanAt, whyNotNamed } from "./station.api";
import type { Draft, Opened, Show, Work, Worker } from "./types";

const SHORT_CODE = /^\s*([1-9]\d*)-([1-9]\d*)\s*$/;

/** No code of a sheet starts like this. */
const BADGE = /^\s*B1/i;
export const isBadge = (code: string) => BADGE.test(code);
/** Matches a PIN. If one is typed without its dialog, the screen must not show it. */
const PIN = /^\d{6}$/;
/** How much of a code the screen shows. */
const MOST_SHOWN = 24;

interface Chosen {
  name: string;
  direction: "in" | "out" | null;
  scan: StationScan | null;
  /** The key of the refused movement that the next press replaces. */
  refused: string | null;
}

const EMPTY: Draft = {
  chosen: null,
  typed: null,
  notes: "",
  photo: null,
  weights: NO_WEIGHTS,
  part: null,
  refused: null,
};
/**
 * How long a draft lasts, in ms. A worker who scans the line later probably means something else.
 */
const DRAFT_LASTS = 10 * 60_000;

interface Kept {
  draft: Draft;
  workerId: number;
  at: number;
}

export function useOpened(
  station: Station,
  work: ReadonlyMap<string, Work>,
  worker: Worker,
  show: Show,
  isLive: boolean,
) {
  const { t } = useTranslation("station");
  const { put } = useAnswers();
  const trays = useTrays();
  const id = station.process.productionProcessId;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [turn, setTurn] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  /**
   * The message about a code that could not be read offline. It is hidden once the connection is
   * back.
   */
  const [unread, setUnread] = useState<string | null>(null);
  /** The scan whose answer is awaited. */
  const [reading, setReading] = useState<number | null>(null);
  /** Counts scans and touches: the answer to an earlier scan must not replace a later line. */
  const last = useRef(0);
  /** Drafts by line, so that scanning another code in the meantime loses nothing. */
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Kept>>(new Map());
  const [resumed, setResumed] = useState(false);

  function keepDraft(name: string, draft: Draft | null): void {
    setDrafts((before) => {
      const after = new Map(before);
      if (draft === null) after.delete(name);
      else after.set(name, { draft, workerId: worker.id, at: Date.now() });
      return after;
    });
  }

  /** Drop the scan that is being read. Returns the number of the next one. */
  function dropScan(): number {
    setReading(null);
    last.current += 1;
    return last.current;
  }

  function begin(next: Chosen): void {
    if (next.name !== chosen?.name) {
      const kept = drafts.get(next.name);
      const resumes = kept?.workerId === worker.id && Date.now() - kept.at < DRAFT_LASTS;
      setResumed(resumes);
      if (!resumes) keepDraft(next.name, null);
    }
    setProblem(null);
    setChosen(next);
    setTurn((before) => before + 1);
  }

  async function ask(code: string): Promise<StationScan> {
    const found = await scanAt(id, code, worker);
    await put(
      STATION,
      { path: { process_id: id } },
      (kept) => kept && stationWith(kept, found.line),
    );
    return found;
  }

  /**
   * Open a line with the data that is known here. The server's answer adds the picture, and the
   * processes to which pieces may be handed over.
   */
  function open(line: Work, direction: "in" | "out" | null): void {
    const name = nameOf(line);
    dropScan();
    begin({ name, direction, scan: null, refused: null });
    void complete(name);
  }

  async function complete(name: string): Promise<void> {
    try {
      const found = await ask(name);
      setChosen((now) => (now?.name === name ? { ...now, scan: found } : now));
    } catch (reason) {
      const error = asApiError(reason);
      if (!error.isOffline) setProblem(wordsOf(error)); // offline, what is known here is enough
    }
  }

  // Another operator has identified themselves while a line is open: ask again, because their
  // permissions differ.
  const askAgain = useEffectEvent(() => {
    if (chosen !== null) void complete(chosen.name);
  });
  useEffect(() => askAgain(), [worker.id]);

  /**
   * Say why a code was refused. Close the line that was open, so that nobody moves its pieces
   * instead; its draft stays.
   */
  function refuse(words: string): false {
    setChosen(null);
    setProblem(words);
    show("no");
    return false;
  }

  async function nameBy(badge: string): Promise<boolean> {
    try {
      await nameWorker({ badge }, id);
    } catch (reason) {
      return refuse(whyNotNamed(asApiError(reason), station.process.productionProcessName));
    }
    setProblem(null);
    show("yes");
    return true;
  }

  /**
   * Take a scanned or typed code, of a sheet or a badge. Returns false if it opened nothing. Each
   * code is answered by a sound, also if a later one overtakes it.
   */
  async function take(code: string): Promise<boolean> {
    if (isBadge(code)) return nameBy(code.trim());
    const short = SHORT_CODE.exec(code);
    const known = short === null ? undefined : work.get(`${short[1]}-${short[2]}`);
    if (known !== undefined) {
      open(known, known.maxOut > 0 ? "out" : "in");
      acceptScan();
      return true;
    }
    const scanned = dropScan();
    setReading(scanned);
    try {
      const found = await ask(code);
      const { direction } = found;
      if (direction === "none") show("no");
      else acceptScan();
      if (scanned !== last.current) return false;
      begin({
        name: nameOf(found.line),
        direction: direction === "in" || direction === "out" ? direction : null,
        scan: found,
        refused: null,
      });
      return true;
    } catch (reason) {
      const error = asApiError(reason);
      const offline = short === null ? t("scan.offline") : t("scan.unknownHere");
      const why = error.isOffline ? offline : wordsOf(error);
      const words = PIN.test(code) ? why : t("scan.failed", { code: shortened(code), why });
      if (scanned !== last.current) {
        refuseScan(words);
        return false;
      }
      setUnread(error.isOffline ? words : null);
      return refuse(words);
    } finally {
      setReading((now) => (now === scanned ? null : now));
    }
  }

  /** Open the line of a press that the server refused at once, with everything that was typed. */
  function reopen(movement: Movement, why: Refused): void {
    const { key, line, type, quantity, notes, weights, scrap, part } = movement;
    if (type === "talk") return; // nothing was typed
    const name = nameOf(line);
    begin({ name, direction: null, scan: null, refused: key });
    const atWeight = isWeightRefusal(why.code);
    keepDraft(name, {
      chosen: type === "hand-over" ? "out" : type,
      typed: String(quantity),
      notes,
      photo: scrap?.photo ?? null,
      weights: draftOf(weights, trays),
      part: draftOfPart(part),
      refused: atWeight ? why : null,
    });
    setResumed(false);
    setProblem(atWeight ? null : t("waiting.refused", { why: why.message }));
    void complete(name);
  }

  function close(): void {
    dropScan();
    if (chosen !== null) keepDraft(chosen.name, null);
    setProblem(null);
    setChosen(null);
  }

  const [wasLive, setWasLive] = useState(isLive);
  if (wasLive !== isLive) {
    setWasLive(isLive);
    if (isLive) setProblem((now) => (now === unread ? null : now)); // else a cut shows it again
  }
  const openProblem = isLive && problem === unread ? null : problem;
  return {
    line: chosen === null ? null : openedOf(chosen, work, id),
    refused: chosen?.refused ?? null,
    draft: drafts.get(chosen?.name ?? "")?.draft ?? EMPTY,
    resumed,
    turn,
    problem: reading === null ? openProblem : t("scan.reading"),
    /** A code is being read: the open line may not be the one that was scanned last. */
    reading: reading !== null,
    open,
    reopen,
    scan: take,
    refuse,
    clearProblem: () => setProblem(null),
    type: (draft: Draft) => chosen !== null && keepDraft(chosen.name, draft),
    close,
  };
}

const shortened = (code: string) =>
  code.length > MOST_SHOWN ? `${code.slice(0, MOST_SHOWN)}…` : code;

/** `other_station` is not a lack of permissions, so show the server's message. */
const wordsOf = (error: ApiError) =>
  error.code === "other_station" ? error.message : errorText(error);

const MOST = { in: "maxIn", out: "maxOut" } as const;

function openedOf(
  { name, direction, scan }: Chosen,
  work: ReadonlyMap<string, Work>,
  processId: number,
): Opened | null {
  const known = work.get(name);
  const image = scan?.line.image ?? known?.image ?? null;
  if (known !== undefined) {
    const allowed = withoutRefused({ ...known, image }, scan, processId);
    const isAllowed = direction === null || known[MOST[direction]] === allowed[MOST[direction]];
    return { work: allowed, direction: isAllowed ? direction : null, scan };
  }
  return scan === null ? null : { work: workOfScan(scan, image, processId), direction, scan };
}

/**
 * Remove a direction that the line offers but the worker may not use. Take over the scan's rule
 * about weights.
 */
function withoutRefused(work: Work, scan: StationScan | null, processId: number): Work {
  if (scan === null) return work;
  const { offers } = scan.line;
  return {
    ...work,
    weighs: weighsAt(scan.line, processId),
    maxIn: mayEnter(offers, processId) > 0 && scan.maxIn === 0 ? 0 : work.maxIn,
    maxOut: mayLeave(offers, processId) > 0 && scan.maxOut === 0 ? 0 : work.maxOut,
  };
}
