/** Types that the parts of a station share. This file imports none of the parts. */
import type { ProcessOption, StationScan } from "@/contract";
import type { Call } from "@/entities/talk/talk.api";
import type { PartDraft } from "@/entities/scrapping/part";
import type { WeightDraft } from "@/entities/weight/weights";
import type { Movement, Refused, Scrapped, StationLine } from "./queue/storage";

export interface Worker {
  id: number;
  fullName: string;
  /** Null for the signed-in user. */
  operatorToken: string | null;
}

/** Whether pieces of a line enter and leave a process with their weight. */
export type Weighs = ProcessOption["weighs"];

export interface Work extends StationLine {
  /** The notes of the line about how to make it. */
  notes: string;
  maxIn: number;
  /**
   * How many pieces wait for this process, by the rule of the board. More pieces may enter: those
   * that are still in earlier processes.
   */
  ready: number;
  maxOut: number;
  /** Since when the oldest pieces are inside, and who brought them in. */
  since: string | null;
  by: string | null;
  weighs: Weighs;
  /** The open call of the line. `pending`: it waits to be sent. */
  call: (Call & { pending: boolean }) | null;
  /** A movement of the line has not been answered yet. */
  waits: boolean;
}

export interface Opened {
  work: Work;
  /** The direction that the user asked for; null if they must choose. */
  direction: "in" | "out" | null;
  /** The server's answer about the line; null until it arrives. */
  scan: StationScan | null;
}

/** What was typed for a line and not pressed yet. */
export interface Draft extends Omit<Scrapped, "reason"> {
  chosen: "in" | "out" | "scrap" | null;
  /**
   * The typed number. Null: all pieces that may move, even if others change their number; to scrap,
   * one piece.
   */
  typed: string | null;
  notes: string;
  weights: WeightDraft;
  /** Which of the leaving pieces are scrapped by the same press; null if none. */
  part: PartDraft | null;
  /** Why the server refused the weight of this movement. */
  refused: Refused | null;
}

export type Pressed = Pick<
  Movement,
  "type" | "to" | "quantity" | "notes" | "weights" | "scrap" | "part" | "line"
>;

/** The open dialog of the header. */
export type Asking = "scan" | "operator" | null;

/** Signal yes or no, with color and sound. */
export type Show = (kind: "yes" | "no") => void;
