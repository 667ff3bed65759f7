import "fake-indexeddb/auto";
import { afterEach } from "vitest";

// A test answers each request: without an answer the real `fetch` would ask the network, and fail after the test.
const unanswered: string[] = [];
globalThis.fetch = async (asked) => {
  const { method, url } = new Request(asked);
  unanswered.push(`${method} ${url}`);
  throw new TypeError(`No test answers ${method} ${url}`);
};
afterEach(() => {
  const asked = unanswered.splice(0);
  if (asked.length > 0) throw new Error(`No test answers ${asked.join(", ")}`);
});

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
