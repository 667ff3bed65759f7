/** The browser's own notifications, where a person asked for them: seen while another window is in front. */
import { external } from "@/shared/external";

const KEY = "browserNotifications";
/** Rises where it was switched, here or in another tab. */
const changes = external(0);
const noteChange = () => changes.set(changes.get() + 1);
window.addEventListener("storage", noteChange);

export type DesktopState = "off" | "on" | "blocked" | "unsupported";

export function desktopState(): DesktopState {
  if (!("Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(KEY) === "on" ? "on" : "off";
}

export function useDesktopState(): DesktopState {
  return changes.use(desktopState);
}

/** Turns them on, asking the person where the browser must, or off. */
export async function switchDesktop(): Promise<DesktopState> {
  if (desktopState() === "on") localStorage.setItem(KEY, "off");
  else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
  noteChange();
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
