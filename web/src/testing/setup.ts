import "fake-indexeddb/auto";
import { afterEach } from "vitest";

// jsdom has no layout: every window is wide unless a test replaces `matchMedia`, and nothing changes its size.
if (typeof window !== "undefined") {
  // Tests in the node environment render nothing.
  const { cleanup } = await import("@testing-library/react");
  afterEach(cleanup);
  window.matchMedia ??= (media) => {
    const deprecated = { onchange: null, addListener: () => {}, removeListener: () => {} };
    return Object.assign(new EventTarget(), { matches: false, media, ...deprecated });
  };
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
}
