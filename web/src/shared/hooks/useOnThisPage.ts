import { useState } from "react";
import { useLocation } from "react-router";

/** The path in the address. While a page is being loaded, React still shows the one before it. */
const pathInAddress = () => window.location.hash.slice(1).split("?")[0];

/**
 * State that belongs to the shown page: it is null again once another page is shown. If it is set
 * while a page is being loaded, it belongs to that page.
 */
export function useOnThisPage<T>(): [T | null, (value: T | null) => void] {
  const { pathname } = useLocation();
  const [held, setHeld] = useState<{ value: T; pages: readonly unknown[] } | null>(null);
  const isHere = held?.pages.includes(pathname) === true;
  if (held !== null && !isHere) setHeld(null);
  return [
    isHere ? held.value : null,
    (value) => setHeld(value === null ? null : { value, pages: [pathname, pathInAddress()] }),
  ];
}
