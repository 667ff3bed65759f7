/** The user's ways of signing in, with a browser that can use passkeys. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import account from "@/locales/es/account.json";
import secondFactor from "@/locales/es/secondFactor.json";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import WaysPage from "./WaysPage";
import type { Ways } from "./ways.api";

const NONE: Ways = {
  hasPassword: true,
  authenticator: null,
  passkeys: [],
  company: null,
  required: "any",
};
const SEED = { secret: "JBSWY3DPEHPK3PXP", address: "otpauth://totp/x", picture: "<svg/>" };
/** Paths and bodies of the requests. */
const sent: [string, unknown][] = [];
let ways: Ways;
let refusal: { status: number; body: unknown } | null;

beforeEach(async () => {
  await startI18n(["shared", "account", "secondFactor"]);
  i18next.addResourceBundle("es", "account", account);
  i18next.addResourceBundle("es", "secondFactor", secondFactor);
  localStorage.clear();
  storeSession(aSession());
  sent.length = 0;
  ways = NONE;
  refusal = null;
  vi.spyOn(toast, "error");
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET") return Response.json(ways);
    sent.push([pathname, await request.json()]);
    if (refusal !== null) return Response.json(refusal.body, { status: refusal.status });
    if (pathname.endsWith("/confirm") || pathname.endsWith("/recovery-codes")) {
      return Response.json({ recoveryCodes: ["AAAA-BBBB-CCCC-DDDD"] });
    }
    return Response.json(pathname.endsWith("/app") ? SEED : ways);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <WaysPage />
    </SWRConfig>,
  );
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

it("says what the role requires, and sets up an app with the password and its first code", async () => {
  show();
  await screen.findByText(account.ways.required.any);
  press(account.ways.app.add);
  await type(account.ways.password, "Taller.2026");
  press(account.ways.confirm);
  await screen.findByText(SEED.secret);
  expect(screen.getByAltText(secondFactor.seed.alt).getAttribute("src")).toContain("svg");
  await type(account.ways.app.code, "123456");
  press(account.ways.app.turnOn);
  await screen.findByText("AAAA-BBBB-CCCC-DDDD");
  expect(sent).toEqual([
    ["/identity/ways/app", { currentPassword: "Taller.2026" }],
    ["/identity/ways/app/confirm", { code: "123456" }],
  ]);
  press(account.ways.app.close);
  expect(screen.queryByText("AAAA-BBBB-CCCC-DDDD")).toBeNull();
});

it("shows the server's refusal of a removal, and keeps what is there", async () => {
  const instant = "2026-03-02T18:00:00.000Z";
  ways = {
    ...NONE,
    authenticator: { since: instant, usedAt: instant, recoveryCodesLeft: 9 },
  };
  const message = "Su rol lo exige";
  refusal = { status: 409, body: { code: "factor_required", message, params: {}, errors: [] } };
  show();
  await screen.findByText(/Le quedan 9 códigos/);
  press(account.ways.app.remove);
  await type(account.ways.password, "Taller.2026");
  press(account.ways.confirm);
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(toast.error).toHaveBeenCalledWith(message));
  expect(screen.getByText(/Le quedan 9 códigos/)).toBeTruthy();
});

it("says why this browser cannot use passkeys", async () => {
  show();
  expect(await screen.findByText(account.ways.passkeys.impossible)).toBeTruthy();
});
