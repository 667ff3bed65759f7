/** What the parts of a station hand to each other. This file imports none of them. */
import type { StationScan } from "@/contract";
import type { Movement, StationLine } from "./queue/storage";

export interface Worker {
  id: number;
  fullName: string;
  /** Null for whoever is signed in. */
  operatorToken: string | null;
}

export interface Work extends StationLine {
  maxIn: number;
  maxOut: number;
  /** Since when its oldest pieces are inside, and who brought them. */
  since: string | null;
  by: string | null;
  /** Some movement of it has not been answered yet. */
  waits: boolean;
}

export interface Opened {
  work: Work;
  /** What the person came for; null where he is to choose. */
  direction: "in" | "out" | null;
  /** What the server said when it was asked; null until then. */
  scan: StationScan | null;
}

/** What was typed for a line and is not pressed yet. */
export interface Draft {
  chosen: "in" | "out" | null;
  /** Null is all that may: it follows what others do. */
  typed: string | null;
  notes: string;
}

export type Pressed = Pick<Movement, "type" | "to" | "quantity" | "notes"> & { line: StationLine };

/** Which dialog of the head stands open. */
export type Asking = "scan" | "operator" | null;

/** Says yes or no, in colour and sound. */
export type Show = (kind: "yes" | "no") => void;
