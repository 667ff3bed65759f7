/** Short messages at the lower left of the window, shown for 3 s by default. */
import i18next from "i18next";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, type Location } from "react-router";
import { external } from "@/shared/external";
import "./states.css";

type Kind = "success" | "warning" | "error" | "note";

/** The name of a saved record, and the path of the page or drawer that shows it, if there is one. */
export interface Saved {
  name: string;
  path?: string | undefined;
}

interface Toast extends Partial<Saved> {
  id: number;
  kind: Kind;
  text: string;
  seconds: number;
}

const SECONDS = 3;
const SECONDS_OF_NEXT = 10;
const toasts = external<readonly Toast[]>([]);
const successes = external(0);
let nextId = 1;
const timers = new WeakMap<Toast, ReturnType<typeof setTimeout>>();

function dismiss(toast: Toast): void {
  clearTimeout(timers.get(toast));
  toasts.set(toasts.get().filter((each) => each !== toast));
}

/** Show a message for its full time from now on. */
function startTimer(toast: Toast): void {
  clearTimeout(timers.get(toast));
  if (toast.seconds === Infinity) return;
  timers.set(
    toast,
    setTimeout(() => dismiss(toast), toast.seconds * 1000),
  );
}

function add(kind: Kind, text: string, seconds: number = SECONDS, saved?: Saved): Toast {
  const toast = { id: nextId++, kind, text, seconds, ...saved };
  // A message with the same text replaces the earlier one, and its time starts again.
  const others = toasts.get().filter((each) => each.text !== text || each.name !== saved?.name);
  toasts.set([...others, toast]);
  startTimer(toast);
  if (kind === "success") successes.set(successes.get() + 1);
  return toast;
}

function show(...message: Parameters<typeof add>): void {
  add(...message);
}

export const toast = {
  success: (text: string, seconds?: number) => show("success", text, seconds),
  /** Something was done, but the user should check it. */
  warning: (text: string, seconds?: number) => show("warning", text, seconds),
  error: (text: string, seconds?: number) => show("error", text, seconds),
  /** An error that stays until the user closes it, or until the returned function is called. */
  stays: (text: string) => {
    const shown = add("error", text, Infinity);
    return () => dismiss(shown);
  },
  /** A quiet note, about what other users did. */
  note: (text: string, seconds?: number) => show("note", text, seconds),
  /** Name a created or changed record, and link to it. */
  saved: (saved: Saved) => show("success", i18next.t("shared:message.saved"), SECONDS, saved),
  /** Say in one sentence what was done, as `name`, and link to the record. */
  done: (said: Saved) => show("success", "", SECONDS, said),
  /** Say what to do next, as `name`, and link to it. */
  next: (said: Saved) => show("note", "", SECONDS_OF_NEXT, said),
  /** `path`: where a record stands that was canceled and stays. */
  deleted: (name: string, path?: string) =>
    show("success", i18next.t("shared:message.deleted"), SECONDS, { name, path }),
};

/** Hook: how many writes were reported as done since the page was loaded. */
export const useSuccesses = () => successes.use();

const LINK = "ob-toast__link";

/** Focus the newest link, if there is one, because Tab is too slow to reach it before the message disappears. */
export function focusSaved(): void {
  [...document.querySelectorAll<HTMLElement>(`.${LINK}`)].at(-1)?.focus();
}

interface Props {
  /** Whether the user may open the page at a path; without it a message has no link. */
  mayOpen: (pathname: string) => boolean;
}

/** Shows all messages. Rendered once, beside the pages. */
export function Toaster({ mayOpen }: Props) {
  const shown = toasts.use();
  return (
    <div className="ob-toaster">
      {shown.map((each) => (
        <Message key={each.id} toast={each} mayOpen={mayOpen} />
      ))}
    </div>
  );
}

/** A message. It stays while the pointer or the focus is on it; then its time starts again. */
function Message({ toast: shown, mayOpen }: Props & { toast: Toast }) {
  const { kind, text, name, path } = shown;
  const { t } = useTranslation("shared");
  const here = useLocation();
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = hovered || focused;
  useEffect(() => {
    if (!held) return undefined;
    clearTimeout(timers.get(shown));
    return () => startTimer(shown);
  }, [held, shown]);

  const [pathname = ""] = path?.split("?") ?? [];
  const isLink = path !== undefined && !isAt(path, here) && mayOpen(pathname);
  return (
    <div
      className={`ob-toast ob-toast--${kind}${name === undefined ? "" : " ob-toast--named"}`}
      role={kind === "error" ? "alert" : "status"}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {text}
      {name !== undefined && text !== "" && ": "}
      {name !== undefined && !isLink && (
        <span className="ob-toast__name" title={name}>
          {name}
        </span>
      )}
      {name !== undefined && isLink && (
        <Link
          className={`ob-toast__name ${LINK}`}
          title={name}
          to={path}
          onClick={() => dismiss(shown)}
        >
          {name}
        </Link>
      )}
      {kind === "error" && (
        <button
          type="button"
          className="ob-toast__action"
          title={t("action.close")}
          onClick={() => dismiss(shown)}
        >
          {t("errors.action")}
        </button>
      )}
    </div>
  );
}

/** Whether the address shows the record at a path. It may have more parameters, such as filters. */
function isAt(path: string, { pathname, search }: Location): boolean {
  const [page, asked] = path.split("?");
  const now = new URLSearchParams(search);
  return (
    page === pathname &&
    [...new URLSearchParams(asked)].every(([name, value]) => now.get(name) === value)
  );
}
