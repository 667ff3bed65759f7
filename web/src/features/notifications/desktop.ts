/** Browser notifications, which the user turns on. They are shown while the page is hidden. */
import { ofBrowser } from "@/shared/stored";
import { external } from "@/shared/external";

const KEY = "browserNotifications";
/** Increases if the setting changes, in this tab or another. */
const changes = external(0);
const noteChange = () => changes.set(changes.get() + 1);
window.addEventListener("storage", noteChange);

export type DesktopState = "off" | "on" | "blocked" | "unsupported";

export function desktopState(): DesktopState {
  if (!("Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && ofBrowser.getItem(KEY) === "on" ? "on" : "off";
}

export function useDesktopState(): DesktopState {
  return changes.use(desktopState);
}

/** Turn the notifications on or off. Turning them on asks for the browser's permission. */
export async function switchDesktop(): Promise<DesktopState> {
  if (desktopState() === "on") ofBrowser.setItem(KEY, "off");
  else if ((await Notification.requestPermission()) === "granted") ofBrowser.setItem(KEY, "on");
  noteChange();
  return desktopState();
}

/**
 * Show a notification if this page is hidden. The tag shows each id once, even with several tabs.
 */
export function showOnDesktop(id: number, title: string, body: string, onOpen: () => void): void {
  if (desktopState() !== "on" || document.visibilityState === "visible") return;
  const shown = new Notification(title, { body, tag: `obrador-${id}` });
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
    onOpen();
  });
}
