/** Short messages at the top: 3 s for confirmations and errors, 4 s for permission and no-process ones. */
import { useSyncExternalStore } from "react";
import "./states.css";

type Kind = "success" | "error" | "note";

interface Toast {
  id: number;
  kind: Kind;
  text: string;
}

const SECONDS = 3;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(kind: Kind, text: string, seconds: number): void {
  const toast = { id: nextId++, kind, text };
  // The same words again start their time anew instead of standing there twice.
  publish([...toasts.filter((each) => each.text !== text), toast]);
  setTimeout(() => publish(toasts.filter((each) => each !== toast)), seconds * 1000);
}

export const toast = {
  success: (text: string, seconds: number = SECONDS) => show("success", text, seconds),
  error: (text: string, seconds: number = SECONDS) => show("error", text, seconds),
  /** Something others did; quieter than the other two. */
  note: (text: string, seconds: number = SECONDS) => show("note", text, seconds),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Drawn once, beside everything else. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="ob-toaster">
      {shown.map(({ id, kind, text }) => (
        <div
          key={id}
          className={`ob-toast ob-toast--${kind}`}
          role={kind === "error" ? "alert" : "status"}
        >
          {text}
        </div>
      ))}
    </div>
  );
}
