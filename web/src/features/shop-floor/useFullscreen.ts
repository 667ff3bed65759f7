/** The whole screen for one part of the page. */
import { useCallback, useEffect, useState, type RefObject } from "react";
import { toastError } from "@/shared/ui/errors";

export function useFullscreen(part: RefObject<HTMLElement | null>) {
  const [isFull, setIsFull] = useState(false);

  useEffect(() => {
    const follow = () => setIsFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", follow);
    return () => document.removeEventListener("fullscreenchange", follow);
  }, []);

  const toggle = useCallback(() => {
    const change =
      document.fullscreenElement === null
        ? part.current?.requestFullscreen()
        : document.exitFullscreen();
    change?.catch(toastError);
  }, [part]);

  return { isFull, toggle };
}
