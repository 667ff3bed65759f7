import { cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { createPortal } from "react-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { QUICK, SILENCE } from "./pace";
import { KeyButton } from "@/shared/ui/KeyButton";
import { shownKey, useShortcut, useShortcutKeys, useShortcuts } from "./shortcuts";
import { useRowKeys } from "./useRowKeys";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pressed = vi.fn<(what: string) => void>();
beforeEach(() => pressed.mockClear());

function List({ mayAdd = true }: { mayAdd?: boolean }) {
  useShortcutKeys();
  useShortcut({ key: "n", does: "new", press: () => pressed("new") }, { is: mayAdd });
  useShortcut({ key: "/", does: "search", press: () => pressed("search") });
  useShortcut({ key: "Escape", does: "close" });
  return (
    <>
      <p>{useShortcuts().map(({ key, does }) => `${key}:${does} `)}</p>
      <input aria-label="campo" />
      <button type="button">otro</button>
    </>
  );
}

/** Send a key at the current time of the fake clock. */
function keyDown(key: string, on: Element = document.body, init: KeyboardEventInit = {}): boolean {
  const event = createEvent.keyDown(on, { key, ...init });
  Object.defineProperty(event, "timeStamp", { value: Date.now() });
  return fireEvent(on, event);
}

/** Press a key at the pace of a person; false if its default action was prevented. */
function press(...key: Parameters<typeof keyDown>): boolean {
  vi.advanceTimersByTime(10 * QUICK);
  const free = keyDown(...key);
  vi.advanceTimersByTime(QUICK);
  return free;
}

it("runs a declared shortcut unless the focus is in a text field", () => {
  render(<List />);
  press("n");
  press("/", screen.getByRole("button"));
  expect(pressed.mock.calls).toEqual([["new"], ["search"]]);
  expect(press("n", screen.getByLabelText("campo"))).toBe(true);
  expect(pressed).toHaveBeenCalledTimes(2);
});

it("leaves keys with Ctrl, Alt or ⌘ and repeated keys to the browser", () => {
  render(<List />);
  for (const init of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }]) {
    expect(press("n", document.body, init)).toBe(true);
  }
  expect(pressed).not.toHaveBeenCalled();
});

it("ignores the letters of a scanned code", () => {
  render(<List />);
  vi.advanceTimersByTime(1_000);
  for (const key of "https://obrador/n") {
    vi.advanceTimersByTime(QUICK / 4);
    keyDown(key);
  }
  keyDown("Enter");
  vi.advanceTimersByTime(1_000);
  expect(pressed).not.toHaveBeenCalled();
});

it("ignores the letters of a text that is typed slowly outside of fields", () => {
  render(<List />);
  vi.advanceTimersByTime(1_000);
  for (const key of "xnx/n") {
    keyDown(key);
    vi.advanceTimersByTime(SILENCE - 1);
  }
  expect(pressed).not.toHaveBeenCalled();
  // A key that only a person presses ends the text.
  for (const [key, init] of [
    ["Escape", {}],
    ["Enter", { ctrlKey: true }],
  ] as const) {
    keyDown("x");
    keyDown(key, document.body, init);
    keyDown("n");
    vi.advanceTimersByTime(QUICK);
  }
  expect(pressed).toHaveBeenCalledTimes(2);
});

it("runs a letter with Caps Lock on, and not with the shift key", () => {
  render(<List />);
  press("N");
  expect(pressed).toHaveBeenCalledExactlyOnceWith("new");
  press("N", document.body, { shiftKey: true });
  expect(pressed).toHaveBeenCalledTimes(1);
});

function Verbs({ isOff = false, keyed = true }: { isOff?: boolean; keyed?: boolean }) {
  useShortcutKeys();
  const approve = () => pressed("approve");
  return (
    <KeyButton letter="a" does="approve" disabled={isOff} keyed={keyed} onClick={approve}>
      Aprobar
    </KeyButton>
  );
}

it("runs a button by its key, which the button shows, and focuses it", () => {
  const { rerender } = render(<Verbs />);
  const button = screen.getByRole("button", { name: "Aprobar" });
  expect([button.textContent, button.getAttribute("aria-keyshortcuts")]).toEqual(["Aprobara", "a"]);
  press("a");
  expect(pressed).toHaveBeenCalledExactlyOnceWith("approve");
  expect(document.activeElement).toBe(button);
  rerender(<Verbs isOff />);
  press("a");
  rerender(<Verbs keyed={false} />);
  press("a");
  expect(button.textContent).toBe("Aprobar");
  expect(pressed).toHaveBeenCalledTimes(1);
});

it("does nothing under a dialog", () => {
  render(
    <>
      <List />
      <div role="dialog" />
    </>,
  );
  press("n");
  expect(pressed).not.toHaveBeenCalled();
});

it("lists the active shortcuts, each action once", () => {
  const { rerender } = render(<List />);
  expect(screen.getByText("n:new /:search Escape:close")).toBeDefined();
  rerender(<List mayAdd={false} />);
  expect(screen.getByText("/:search Escape:close")).toBeDefined();
  press("n");
  expect(pressed).not.toHaveBeenCalled();
  expect([shownKey("n"), shownKey("ArrowDown"), shownKey("Control+k")]).toEqual([
    "n",
    "↑ ↓",
    "Ctrl+K",
  ]);
});

const ROWS = [{ name: "uno" }, { name: "dos" }, { name: "tres" }];

function Rows(props: { onTick?: (row: { name: string }) => void }) {
  useShortcutKeys();
  const { box, onRow } = useRowKeys({
    rows: ROWS,
    onOpen: ({ name }) => pressed(`open ${name}`),
    onTick: props.onTick,
  });
  return (
    <section ref={box}>
      <table>
        <tbody>
          {ROWS.map((row, index) => (
            <tr key={row.name} {...onRow(row, index)}>
              <td>
                <a href="#x">{row.name}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const focused = () => document.activeElement?.textContent;

it("moves through a table by arrow keys, opens a row by Enter and ticks it by the space bar", () => {
  render(<Rows onTick={({ name }) => pressed(`tick ${name}`)} />);
  press("ArrowDown");
  expect(focused()).toBe("uno");
  press("ArrowDown", document.activeElement!);
  press("ArrowDown", document.activeElement!);
  press("ArrowDown", document.activeElement!);
  expect(focused()).toBe("tres");
  press("ArrowUp", document.activeElement!);
  expect(focused()).toBe("dos");
  press("Enter", document.activeElement!);
  press(" ", document.activeElement!);
  expect(pressed.mock.calls).toEqual([["open dos"], ["tick dos"]]);
  press("Home", document.activeElement!);
  expect(focused()).toBe("uno");
  press("End", document.activeElement!);
  expect(focused()).toBe("tres");
});

it("leaves the arrow keys to a menu that a row opened elsewhere", () => {
  function RowWithMenu() {
    const { box, onRow } = useRowKeys({ rows: ROWS, onOpen: ({ name }) => pressed(name) });
    return (
      <section ref={box}>
        <table>
          <tbody>
            <tr {...onRow(ROWS[0]!, 0)}>
              <td>{createPortal(<button>Editar</button>, document.body)}</td>
            </tr>
            <tr {...onRow(ROWS[1]!, 1)} />
          </tbody>
        </table>
      </section>
    );
  }
  render(<RowWithMenu />);
  const item = screen.getByRole("button", { name: "Editar" });
  item.focus();
  press("ArrowDown", item);
  expect(document.activeElement).toBe(item);
});

it("returns to the row that last had the focus, and leaves Enter to a link inside a row", () => {
  render(<Rows />);
  const [, second] = screen.getAllByRole("row");
  second!.focus();
  expect(screen.getAllByRole("row").map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  second!.blur();
  press("ArrowDown");
  expect(focused()).toBe("dos");
  expect(press("Enter", screen.getByText("dos"))).toBe(true);
  expect(press(" ", second!)).toBe(true);
  expect(pressed).not.toHaveBeenCalled();
});
