/** A state in a word and a colour: active, inactive, locked. */
import type { ReactNode } from "react";
import "./StatusChip.css";

export type Tone = "good" | "quiet" | "warning" | "bad";

export function Chip({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`ob-chip ob-chip--${tone}`}>{children}</span>;
}
