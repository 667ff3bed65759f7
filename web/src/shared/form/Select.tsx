/**
 * A list to choose one or several values from. Enter chooses. Tab leaves the field and never chooses. Ctrl+Enter sends
 * the form around an open list of several values, after the list took what the user typed or moved to.
 */
import AntSelect, { type DefaultOptionType, type SelectProps } from "antd/es/select";
import { useRef, type KeyboardEvent } from "react";
import { folded } from "@/shared/format/folded";
import { useClear } from "@/shared/ui/useClear";
import { isOpenList, isSendKey } from "@/shared/keyboard/sendKeys";

const MODIFIERS: readonly string[] = ["Control", "Meta", "Shift", "Alt"];

/** For options that the server searches. */
interface ServerSearch {
  searchValue: string;
  onSearch: (text: string) => void;
  /** Whether the options are the server's answer to `searchValue`. */
  isAnswered: boolean;
}

type AntProps<V, O extends DefaultOptionType> = Omit<
  SelectProps<V, O>,
  "allowClear" | "onInputKeyDown" | "options" | "showSearch"
>;

interface Props<V, O extends DefaultOptionType> extends AntProps<V, O> {
  options: O[];
  /** Whether a single value can be cleared, by the field's x or by Delete. */
  allowClear?: boolean;
  /** Whether the user can type part of a label. */
  showSearch?: boolean | ServerSearch;
}

/** Whether a label contains all typed words. */
function isFound(label: unknown, typed: string): boolean {
  const text = folded(String(label));
  return folded(typed)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Sort key: 0 for a label equal to the text, 1 for one that starts with it, else 2. */
function distance(label: unknown, typed: string): number {
  const [text, search] = [folded(String(label)), folded(typed.trim())];
  if (text === search) return 0;
  return text.startsWith(search) ? 1 : 2;
}

/** Whether the marked option of an open list is not chosen yet. */
function isMarkedFree(field: HTMLElement): boolean {
  const marked = document.getElementById(field.getAttribute("aria-activedescendant") ?? "");
  return marked?.getAttribute("aria-selected") === "false";
}

export function Select<V = unknown, O extends DefaultOptionType = DefaultOptionType>(
  props: Props<V, O>,
) {
  const { allowClear = false, showSearch = props.mode !== undefined, ...rest } = props;
  const clear = useClear();
  const server = typeof showSearch === "object" ? showSearch : null;
  /**
   * Whether the user moved to the marked option. The list marks its first option without the user.
   */
  const isMovedTo = useRef(false);

  function onInputKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key, target } = event;
    const typed = target instanceof HTMLInputElement ? target.value : "";
    // Ant Design would choose the marked option and keep the focus.
    if (key === "Tab") event.stopPropagation();
    if (rest.mode !== undefined && isOpenList(event.currentTarget)) {
      const isMeant = typed.trim() !== "" || isMovedTo.current;
      // Ant Design would remove a choice, or take an option that the user did not mean.
      if (isSendKey(event) && !(isMeant && isMarkedFree(event.currentTarget))) {
        event.stopPropagation();
      }
      if (!MODIFIERS.includes(key)) isMovedTo.current = key === "ArrowDown" || key === "ArrowUp";
    }
    // While no option matches and the server has not answered, Enter would close the list and lose the text.
    if (key === "Enter" && server?.isAnswered === false) {
      if (!rest.options.some(({ label }) => isFound(label, typed))) {
        event.preventDefault();
        event.stopPropagation();
      }
    }
    const empties = key === "Delete" || key === "Backspace";
    if (empties && typed === "" && allowClear && rest.mode === undefined) {
      rest.onChange?.(undefined as V);
    }
  }

  return (
    <AntSelect<V, O>
      {...rest}
      allowClear={allowClear && clear}
      showSearch={
        showSearch !== false && {
          ...(server && { searchValue: server.searchValue, onSearch: server.onSearch }),
          filterOption: (typed, option) =>
            server?.isAnswered === true || isFound(option?.label, typed),
          filterSort: (one, other, { searchValue: typed }) =>
            distance(one.label, typed) - distance(other.label, typed),
        }
      }
      onInputKeyDown={onInputKeyDown}
    />
  );
}
