/** The search field of a list. It reports the text 300 ms after the last key. */
import SearchOutlined from "@ant-design/icons/es/icons/SearchOutlined";
import Input, { type InputRef } from "antd/es/input/Input";
import { useEffect, useRef, useState } from "react";
import { useShortcut } from "@/shared/keyboard/shortcuts";
import { useClear } from "./useClear";

const PAUSE = 300;

const shownPage = () => window.location.hash.split("?")[0];

interface Props {
  value: string;
  onSearch: (value: string) => void;
  /** The fields that the search covers, for the placeholder and screen readers. */
  label: string;
}

export function SearchField({ value, onSearch, label }: Props) {
  const clear = useClear();
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  const field = useRef<InputRef>(null);
  useShortcut({ key: "/", does: "search", press: () => field.current?.focus({ cursor: "all" }) });

  // Follow changes of the address by the back button or "clear".
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value);
    }
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(next: string, pause: number) {
    setTyped(next);
    clearTimeout(timer.current);
    const page = shownPage();
    timer.current = setTimeout(() => {
      // If the user followed a link in the meantime, a search would navigate back to this page.
      if (shownPage() !== page) return;
      sent.current = next.trim();
      onSearch(next.trim());
    }, pause);
  }

  return (
    <Input
      ref={field}
      className="ob-search"
      type="search"
      allowClear={clear}
      maxLength={100}
      prefix={<SearchOutlined aria-hidden />}
      placeholder={label}
      aria-label={label}
      value={typed}
      onChange={(event) => search(event.target.value, PAUSE)}
      onPressEnter={() => search(typed, 0)}
    />
  );
}
