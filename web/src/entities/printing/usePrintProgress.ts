/** Ask how far a print has come, once it takes long. */
import { useEffect, useState } from "react";
import useSWR from "swr";
import { loadProgress, type Progress } from "./runs";

/** Time before the progress of a print is shown, in ms. */
const PATIENCE = 700;
const ASKED_EVERY = 500;

/** The progress of a print; null while it is short. `asks`: it is still under way. */
export function usePrintProgress(runId: string, asks = true): Progress | null {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useSWR(
    long && asks ? `print ${runId}` : null,
    () => loadProgress(runId).catch(() => undefined), // the print has not begun or is over
    { refreshInterval: ASKED_EVERY },
  );
  return long ? (data ?? { done: 0, total: 0 }) : null;
}

/** The percentage to draw. */
export const percentOf = ({ done, total }: Progress) =>
  total === 0 ? 0 : Math.round((100 * done) / total);
