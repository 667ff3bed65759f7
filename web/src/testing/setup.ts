import "fake-indexeddb/auto";
import { afterEach } from "vitest";

// jsdom has no layout: every window is wide unless a test replaces `matchMedia`, and nothing changes its size.
if (typeof window !== "undefined") {
  // Tests in the node environment render nothing.
  const { cleanup } = await import("@testing-library/react");
  afterEach(cleanup);
  // No style sheets of Ant Design: jsdom draws nothing, and would compare each element that a test looks for with
  // their thousands of rules. What styles hide or show is tested in a browser.
  const { defaultConfig } = await import("antd/es/theme/context");
  Object.assign(defaultConfig, { zeroRuntime: true });
  const [{ holdProcesses }, { PLANT }] = await Promise.all([
    import("@/entities/processes"),
    import("./lines"),
  ]);
  holdProcesses(PLANT);
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
