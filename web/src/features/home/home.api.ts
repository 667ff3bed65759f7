/** The person's own active processes with what is inside them now, and what their piece work earned. */
import { useAnswer } from "@/shared/http/data";
import { EARNINGS, OWN_PROCESSES } from "@/shared/http/keys";

export function useMyProcesses() {
  return useAnswer(OWN_PROCESSES);
}

export function useMyEarnings() {
  return useAnswer(EARNINGS);
}
