/** Show the whole client in a browser with a server's answers, for tests: pages with their shell, styles and keys. */
import { expect, vi } from "vitest";
import { page } from "vitest/browser";
import { App } from "@/app/App";
import { changeLanguage } from "@/shared/i18n";
import type { Language } from "@/shared/language";
import { storeSession, type Session } from "@/shared/session/session";
import { aSession, aStart, aToken } from "./builders";
import { mount } from "./mount";
import { serve, type Answers } from "./pages";

interface Options {
  /** The address, such as `/operations/metal?kind=vault`. */
  at: string;
  permissions: Session["permissions"];
  /** What differs of the person who is signed in. */
  user?: Partial<Session["user"]>;
  answers: Answers;
  language?: Language;
  /** Of the window, in pixels. */
  size?: readonly [width: number, height: number];
}

let sessions = 0;

/** A socket that never opens. */
class Silent extends EventTarget {
  send(): void {}
  close(): void {}
}

/** Returns the requests, which grow. */
export async function showApp(options: Options) {
  const { at, permissions, answers, language = "es", size = [1440, 900] } = options;
  await page.viewport(...size);
  await changeLanguage(language);
  vi.stubGlobal("WebSocket", Silent);
  sessions += 1;
  const token = aToken({ sub: "7", jti: String(sessions) });
  const session = aSession({
    permissions,
    token,
    user: { ...aSession().user, ...options.user },
  });
  // Do not offer the tour, which is offered at the first visit.
  localStorage.setItem(`tour${session.user.id}`, "offered");
  const asked = serve({ "POST /api/start": aStart(session), ...answers });
  storeSession(session);
  await open(at);
  mount(<App />);
  return asked;
}

/** Open a page of the client that is shown. */
export async function open(at: string): Promise<void> {
  window.location.hash = at;
  await expect.poll(() => window.location.hash).toBe(`#${at}`);
}
