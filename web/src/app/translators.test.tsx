import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { followTranslators } from "./translators";

beforeAll(followTranslators);
afterEach(cleanup);

function textsIn(page: Element): Text[] {
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}

const font = (...content: (string | Node)[]) => {
  const made = document.createElement("font");
  made.append(...content);
  return made;
};

const WAYS: [string, (text: Text) => void][] = [
  ["puts a copy in its place", (text) => text.replaceWith(font(font(text.data)))],
  [
    "puts a copy beside it, then removes it",
    (text) => {
      text.before(font(font(text.data)));
      text.remove();
    },
  ],
  [
    "wraps it",
    (text) => {
      const inner = font();
      text.replaceWith(font(inner));
      inner.append(text);
    },
  ],
];

async function translate(page: Element, way: (text: Text) => void) {
  for (const text of textsIn(page)) way(text);
  // Let the page's MutationObserver run before the next change.
  await Promise.resolve();
}

interface Props {
  count: number;
  unit?: string;
  late?: boolean;
  order?: readonly string[];
}

function Card({ count, unit = "piezas", late = false, order = ["a", "b"] }: Props) {
  return (
    <p>
      {late && "Tarde: "}
      {count} {unit} {late ? <b>hoy</b> : "mañana"}
      {order.map((key) => (
        <span key={key}>
          {key} {count}
        </span>
      ))}
      {count > 5 && " muchas"}
    </p>
  );
}

it.each(WAYS)("keeps updating a page after a translator %s, twice", async (_, way) => {
  const { container, rerender } = render(<Card count={1} />);
  const shown = () => container.textContent;
  for (const translated of [false, true, true]) {
    if (translated) await translate(container, way);
    for (const [props, text] of [
      [{ count: 2 }, "2 piezas mañanaa 2b 2"],
      [{ count: 7, late: true }, "Tarde: 7 piezas hoya 7b 7 muchas"],
      [{ count: 7, late: true, order: ["c", "b", "a"] }, "Tarde: 7 piezas hoyc 7b 7a 7 muchas"],
      [{ count: 1, order: ["b"], unit: "kg" }, "1 kg mañanab 1"],
      [{ count: 1 }, "1 piezas mañanaa 1b 1"],
    ] as const) {
      rerender(<Card {...props} />);
      expect(shown()).toBe(text);
      if (translated) await translate(container, way);
      expect(shown()).toBe(text);
    }
  }
  rerender(<p />);
  expect(shown()).toBe("");
});

it("keeps the browser's errors for nodes that no translator touched", () => {
  const [one, other] = [document.createElement("p"), document.createTextNode("x")];
  expect(() => one.removeChild(other)).toThrow(DOMException);
  expect(() => one.insertBefore(document.createElement("b"), other)).toThrow(DOMException);
});
