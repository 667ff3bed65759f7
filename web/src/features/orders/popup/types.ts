/** What every operation of the popup is given. Specification 2, section 3. */
import type { Line } from "@/contract";

export type Operation = "status" | "move" | "release" | "undo";

export interface PopupProps {
  /** Kept up to date while the popup is open: its choices follow. */
  line: Line;
  /** The movement the person asked for, where both are possible. */
  prefer?: "in" | "out" | undefined;
  onClose: () => void;
}
