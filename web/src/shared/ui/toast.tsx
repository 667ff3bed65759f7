/** Short messages at the top: 3 s for confirmations and errors, 4 s for permission and no-process ones. */
import i18next from "i18next";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, type Location } from "react-router";
import { external } from "@/shared/external";
import "./states.css";

type Kind = "success" | "error" | "note";

/** What was saved, as a person knows it, and the page or the drawer that shows it, where there is one. */
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
const toasts = external<readonly Toast[]>([]);
let nextId = 1;
const timers = new WeakMap<Toast, ReturnType<typeof setTimeout>>();

function dismiss(toast: Toast): void {
  clearTimeout(timers.get(toast));
  toasts.set(toasts.get().filter((each) => each !== toast));
}

/** From now on it is shown for as long as its kind is. */
function startTimer(toast: Toast): void {
  clearTimeout(timers.get(toast));
  timers.set(
    toast,
    setTimeout(() => dismiss(toast), toast.seconds * 1000),
  );
}

function show(kind: Kind, text: string, seconds: number = SECONDS, saved?: Saved): void {
  const toast = { id: nextId++, kind, text, seconds, ...saved };
  // The same words again start their time anew instead of standing there twice.
  const others = toasts.get().filter((each) => each.text !== text || each.name !== saved?.name);
  toasts.set([...others, toast]);
  startTimer(toast);
}

export const toast = {
  success: (text: string, seconds?: number) => show("success", text, seconds),
  error: (text: string, seconds?: number) => show("error", text, seconds),
  /** Something others did; quieter than the other two. */
  note: (text: string, seconds?: number) => show("note", text, seconds),
  /** Names what was created or changed, and links to it. */
  saved: (saved: Saved) => show("success", i18next.t("shared:message.saved"), SECONDS, saved),
  /** Names what is gone. */
  deleted: (name: string) =>
    show("success", i18next.t("shared:message.deleted"), SECONDS, { name }),
};

const LINK = "ob-toast__link";

/** Gives the focus to the newest link, if one is shown: by Tab alone nobody gets there in time. */
export function focusSaved(): void {
  [...document.querySelectorAll<HTMLElement>(`.${LINK}`)].at(-1)?.focus();
}

interface Props {
  /** Whether the person may open the page at a path: no link leads to a refusal. */
  mayOpen: (pathname: string) => boolean;
}

/** Drawn once, beside everything else. */
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

/** It stays while the pointer or the focus is on it; then its time starts anew. */
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
      {name !== undefined && ": "}
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

/** Whether the address shows what is at a path; it may say more, filters for one. */
function isAt(path: string, { pathname, search }: Location): boolean {
  const [page, asked] = path.split("?");
  const now = new URLSearchParams(search);
  return (
    page === pathname &&
    [...new URLSearchParams(asked)].every(([name, value]) => now.get(name) === value)
  );
}
