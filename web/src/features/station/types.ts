/** Types that the parts of a station share. This file imports none of the parts. */
import type { LineDocument, StationScan } from "@/contract";
import type { WeightDraft } from "@/shared/weight/weights";
import type { Movement, Refused, Scrapped, StationLine } from "./queue/storage";

export interface Worker {
  id: number;
  fullName: string;
  /** Null for the signed-in user. */
  operatorToken: string | null;
}

/** Whether pieces of a line enter and leave a process with their weight. */
export type Weighs = LineDocument["offers"]["in"][number]["weighs"];

export interface Work extends StationLine {
  /** What is written about the line: how it is to be made. */
  notes: string;
  maxIn: number;
  /**
   * How many pieces wait for this process, by the rule of the board. More may enter: those that are
   * still to go through earlier processes.
   */
  ready: number;
  maxOut: number;
  /** Since when its oldest pieces are inside, and who brought them. */
  since: string | null;
  by: string | null;
  weighs: Weighs;
  /** A movement of the line has not been answered yet. */
  waits: boolean;
}

export interface Opened {
  work: Work;
  /** What the user came for; null if they must choose. */
  direction: "in" | "out" | null;
  /** The server's answer about the line; null until it arrives. */
  scan: StationScan | null;
}

/** What was typed for a line and not pressed yet. */
export interface Draft extends Omit<Scrapped, "reason"> {
  chosen: "in" | "out" | "scrap" | null;
  /** Null: all pieces that may move, following what others do; of pieces to scrap one. */
  typed: string | null;
  notes: string;
  weights: WeightDraft;
  /** Why the server refused the weight of this movement. */
  refused: Refused | null;
}

export type Pressed = Pick<
  Movement,
  "type" | "to" | "quantity" | "notes" | "weights" | "scrap" | "line"
>;

/** The open dialog of the header. */
export type Asking = "scan" | "operator" | null;

/** Signal yes or no, with color and sound. */
export type Show = (kind: "yes" | "no") => void;
