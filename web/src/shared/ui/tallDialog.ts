/**
 * The `styles` of a dialog as high as its content, at most 80 % of the window: then its body scrolls.
 * The body has room for the ring around a focused control.
 */
export const TALL_DIALOG = {
  container: { display: "flex", flexDirection: "column", maxHeight: "80vh" },
  body: { flex: 1, minHeight: 0, overflow: "auto", margin: -8, padding: 8 },
} as const;
