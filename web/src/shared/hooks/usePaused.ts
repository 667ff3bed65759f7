/** A text once the person has stopped typing for a moment: what a search asks the server with. */
import { useEffect, useState } from "react";

const PAUSE = 200;

export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === "" ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
