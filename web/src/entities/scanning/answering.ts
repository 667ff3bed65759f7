/** Answer a scan by a sound; the message about a refused one stays until a later one succeeds. */
import { toast } from "@/shared/ui/toast";
import { answer } from "./feedback";

let refusals: (() => void)[] = [];

export function acceptScan(): void {
  answer("yes");
  for (const dismiss of refusals) dismiss();
  refusals = [];
}

/** `words`: what was read, and why it was refused. */
export function refuseScan(words: string): void {
  answer("no");
  refusals.push(toast.stays(words));
}
