import "fake-indexeddb/auto";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);

// jsdom has no layout: every window is a wide one unless a test says otherwise.
if (typeof window !== "undefined") {
  window.matchMedia ??= (media) => {
    const deprecated = { onchange: null, addListener: () => {}, removeListener: () => {} };
    return Object.assign(new EventTarget(), { matches: false, media, ...deprecated });
  };
}
