/** Run inside a page. Self-contained: the browser gets its source alone. */

/**
 * What of the page's text is cut off, with no way to read the whole: a title, a link to the record, or scrolling.
 * Each: {text, where, mark}; `mark` finds the element again as `[data-cut="…"]`, to see whether it tells more when pointed at.
 * `only`: a mark; only this element is looked at, and no other is marked.
 */
export function findCut(only) {
  const TOLERANCE = 1.5;
  /** A line's box holds more than its letters: so much of it may go above and below. */
  const BLANK = 0.2;
  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
  const plain = (text) => text.replaceAll(/\s+/g, " ").trim();
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const nameOf = (element) => {
    const words = [element.tagName.toLowerCase(), ...element.classList];
    return words.filter((word) => !word.startsWith("css-")).join(".");
  };

  /** What the ancestors leave of a box: {cut, gone}; `gone` where nothing of it is seen by anybody. */
  const leaves = (start, box) => {
    let { left, right, top, bottom } = box;
    const { position, writingMode } = getComputedStyle(start);
    const upright = writingMode.startsWith("vertical");
    const blankX = upright ? Math.max(TOLERANCE, BLANK * box.width) : TOLERANCE;
    const blankY = upright ? TOLERANCE : Math.max(TOLERANCE, BLANK * box.height);
    let cut = false;
    let across = true;
    let down = true;
    let place = position;
    for (let each = start; each !== document.documentElement; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (each !== start) {
        // What is placed outside the flow is not cut by what it is not placed in.
        if (place === "absolute" && style.position === "static" && style.transform === "none")
          continue;
        if (place === "fixed" && style.transform === "none") continue;
        place = style.position;
      }
      if (each === document.body || style.display === "inline" || style.display === "contents")
        continue;
      const outer = each.getBoundingClientRect();
      if (style.clip !== "auto" || style.clipPath !== "none") return { gone: true };
      const [x, y] = [outer.left + each.clientLeft, outer.top + each.clientTop];
      const [endX, endY] = [x + each.clientWidth, y + each.clientHeight];
      if (hides(style.overflowX) && (endX - x <= 2 || endY - y <= 2)) return { gone: true };
      if (scrolls(style.overflowX) && across)
        [left, right] = [Math.max(left, x), Math.min(right, endX)];
      if (scrolls(style.overflowY) && down)
        [top, bottom] = [Math.max(top, y), Math.min(bottom, endY)];
      if (right < left || bottom < top) return { cut };
      if (hides(style.overflowX) && (left < x - blankX || right > endX + blankX)) cut = true;
      if (hides(style.overflowY) && (top < y - blankY || bottom > endY + blankY)) cut = true;
      if (cut) return { cut };
    }
    if (right < 0) return { gone: true };
    return { cut: left < -TOLERANCE || right > innerWidth + TOLERANCE };
  };

  const readable = (element, text) => {
    for (let each = element; each !== null && each !== document.body; each = each.parentElement) {
      if (plain(each.getAttribute("title") ?? "").includes(text)) return true;
    }
    return element.closest("a[href]") !== null;
  };

  const over = [
    ...document.querySelectorAll(
      ".ant-modal-wrap, .ant-drawer-section, .ant-dropdown, .ant-popover",
    ),
  ];
  const marked = only === undefined ? null : document.querySelector(`[data-cut="${only}"]`);
  const root = marked ?? over.filter(shown).at(-1) ?? document.body;
  const found = [];
  const add = (element, text) => {
    if (marked === null && element.dataset.cut !== undefined) return; // another text of it is cut too
    const mark = element.dataset.cut ?? String(found.length);
    if (marked === null) element.dataset.cut = mark;
    found.push({ text: text.slice(0, 60), where: nameOf(element), mark });
  };

  if (marked === null) for (const old of document.querySelectorAll("[data-cut]")) delete old.dataset.cut;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const element = node.parentElement;
    const text = plain(node.data);
    if (text === "" || element.closest("script, style, svg, noscript") !== null || !shown(element))
      continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(
      ({ width, height }) => width > 0 && height > 0,
    );
    const left = boxes.map((box) => leaves(element, box));
    if (left.some(({ gone }) => gone) || !left.some(({ cut }) => cut)) continue;
    if (!readable(element, text)) add(element, text);
  }
  for (const field of root.querySelectorAll("input, textarea")) {
    if (!shown(field) || field.value === "" || ["checkbox", "radio", "file"].includes(field.type))
      continue;
    // What is typed can be walked through with the arrows; a number is to be seen at once.
    const numeric =
      /numeric|decimal/.test(field.inputMode) || field.getAttribute("role") === "spinbutton";
    if (numeric && field.scrollWidth > field.clientWidth + TOLERANCE) add(field, field.value);
  }
  return found;
}
