/** The browser's own notifications, where a person asked for them: seen while another window is in front. */
import { useSyncExternalStore } from "react";

const KEY = "browserNotifications";
const listeners = new Set<() => void>();

export type DesktopState = "off" | "on" | "blocked" | "unsupported";

export function desktopState(): DesktopState {
  if (!("Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(KEY) === "on" ? "on" : "off";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export function useDesktopState(): DesktopState {
  return useSyncExternalStore(subscribe, desktopState);
}

/** Turns them on, asking the person where the browser must, or off. */
export async function switchDesktop(): Promise<DesktopState> {
  if (desktopState() === "on") localStorage.setItem(KEY, "off");
  else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
  for (const listener of listeners) listener();
  return desktopState();
}

/** One for each id, however many tabs hear of it; only where nobody is looking at this one. */
export function showOnDesktop(id: number, title: string, body: string, onOpen: () => void): void {
  if (desktopState() !== "on" || document.visibilityState === "visible") return;
  const shown = new Notification(title, { body, tag: `obrador-${id}` });
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
    onOpen();
  });
}
