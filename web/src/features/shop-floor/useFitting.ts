/** How many cards of one height a lane can show whole; a wall screen cannot be scrolled. */
import { useEffect, useState, type RefObject } from "react";

export function useFitting(list: RefObject<HTMLElement | null>): number {
  const [fitting, setFitting] = useState(Infinity);

  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const style = getComputedStyle(element);
      if (style.overflowY !== "hidden") return setFitting(Infinity);
      const card = Number.parseFloat(style.getPropertyValue("--card-height"));
      const gap = Number.parseFloat(style.rowGap);
      return setFitting(Math.max(1, Math.floor((element.clientHeight + gap) / (card + gap))));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);

  return fitting;
}
