/** Keys of a table: arrows move through its rows, Enter opens a row, the space bar ticks it. */
import { useRef, type FocusEvent, type HTMLAttributes, type KeyboardEvent } from "react";
import { useShortcut } from "./shortcuts";

interface Rows<T> {
  /** If empty, no shortcut is declared. */
  rows: readonly T[];
  onOpen?: ((row: T) => void) | undefined;
  /** Toggles the selection of a row, if rows can be selected. */
  onTick?: ((row: T) => void) | undefined;
}

const ROW = "tr[data-row]";
const STEPS: Record<string, (rows: HTMLElement[], place: number) => HTMLElement | undefined> = {
  ArrowDown: (rows, place) => rows[place + 1],
  ArrowUp: (rows, place) => rows[place - 1],
  Home: (rows) => rows[0],
  End: (rows) => rows.at(-1),
};

const rowsBeside = (row: HTMLElement) => [
  ...(row.parentElement?.querySelectorAll<HTMLElement>(ROW) ?? []),
];

/** Make this row the only one that Tab reaches. */
function makeReachable(row: HTMLElement): void {
  for (const each of rowsBeside(row)) each.tabIndex = each === row ? 0 : -1;
}

/** Return `box`, the ref of an element around the table, and `onRow`, which gives the props of a row. */
export function useRowKeys<T extends object>({ rows, onOpen, onTick }: Rows<T>) {
  const box = useRef<HTMLElement>(null);
  const any = rows.length > 0 && (onOpen !== undefined || onTick !== undefined);
  useShortcut(
    {
      key: "ArrowDown",
      does: "rows",
      // While the focus is on the page itself, or in the search field above the table.
      from: "body, main, .ob-search input",
      press: () => {
        const found = [...(box.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
        (found.find(({ tabIndex }) => tabIndex === 0) ?? found[0])?.focus();
      },
    },
    { is: any },
  );
  useShortcut({ key: "Enter", does: "open" }, { is: any && onOpen !== undefined });
  useShortcut({ key: " ", does: "tick" }, { is: any && onTick !== undefined });

  function onKeyDown(event: KeyboardEvent<HTMLElement>, row: T): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { currentTarget, target, key } = event;
    // React passes the keys of a menu that a row opened through the row, although the menu is
    // elsewhere in the document.
    if (!(target instanceof Node) || !currentTarget.contains(target)) return;
    const step = STEPS[key];
    if (step !== undefined) {
      if (target instanceof Element && target.closest("input:not([type=checkbox]), textarea"))
        return;
      const beside = rowsBeside(currentTarget);
      event.preventDefault();
      step(beside, beside.indexOf(currentTarget))?.focus();
    } else if (target === currentTarget) {
      const act = key === "Enter" ? onOpen : key === " " ? onTick : undefined;
      if (act === undefined) return;
      event.preventDefault();
      if (!event.repeat) act(row);
    }
  }

  const onRow = (row: T, index = 0): HTMLAttributes<HTMLElement> & { "data-row"?: true } =>
    any
      ? {
          "data-row": true,
          tabIndex: index === 0 ? 0 : -1,
          onKeyDown: (event) => onKeyDown(event, row),
          onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => makeReachable(currentTarget),
        }
      : {};
  return { box, onRow };
}
