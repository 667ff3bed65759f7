/** Show parts of the client in a browser, for tests. React's production build has no `act`, which other helpers need. */
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

const shown: (() => void)[] = [];

/** Show a part in a new element of the page, which is returned. */
export function mount(part: ReactNode): HTMLElement {
  const container = document.body.appendChild(document.createElement("div"));
  container.id = "root";
  const root = createRoot(container, {
    // React repeats a render that threw, and reports its own error around the thrown one.
    onRecoverableError: (error) => reportError((error as Error).cause ?? error),
  });
  shown.push(() => {
    flushSync(() => root.unmount());
    container.remove();
  });
  flushSync(() => root.render(part));
  return container;
}

/** Remove all that was shown, as a reload does. */
export function unmountAll(): void {
  for (const remove of shown.splice(0)) remove();
}
