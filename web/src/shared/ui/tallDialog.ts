/** The `styles` of a dialog as high as its content, at most 80 % of the window: then its body scrolls. */
export const TALL_DIALOG = {
  container: { display: "flex", flexDirection: "column", maxHeight: "80vh" },
  body: { flex: 1, minHeight: 0, overflow: "auto" },
} as const;
