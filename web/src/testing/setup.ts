import "fake-indexeddb/auto";
import { afterEach } from "vitest";

// jsdom has no layout: every window is a wide one unless a test says otherwise.
if (typeof window !== "undefined") {
  // A test without a window draws nothing.
  const { cleanup } = await import("@testing-library/react");
  afterEach(cleanup);
  window.matchMedia ??= (media) => {
    const deprecated = { onchange: null, addListener: () => {}, removeListener: () => {} };
    return Object.assign(new EventTarget(), { matches: false, media, ...deprecated });
  };
}
