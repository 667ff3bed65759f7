/** Cards glide from where they stood to where they stand now, into another lane too. */
import { useLayoutEffect, useRef, type RefObject } from "react";

const LASTS = 450;

/** Follows every element with `data-glide="<name>"` inside `root`; names must be unique. */
export function useGlide(root: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<string, DOMRect>());

  useLayoutEffect(() => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = places.current;
    const now = new Map<string, DOMRect>();
    for (const element of root.current?.querySelectorAll<HTMLElement>("[data-glide]") ?? []) {
      const name = element.dataset["glide"] ?? "";
      const place = element.getBoundingClientRect();
      now.set(name, place);
      const old = before.get(name);
      if (still || old === undefined) continue;
      const [x, y] = [old.left - place.left, old.top - place.top];
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      element.animate(
        [{ transform: `translate(${x}px, ${y}px)`, zIndex: 1 }, { transform: "none" }],
        {
          duration: LASTS,
          easing: "cubic-bezier(0.2, 0.8, 0.2, 1)",
        },
      );
    }
    places.current = now;
  });
}
