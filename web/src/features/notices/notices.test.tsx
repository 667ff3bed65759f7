import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import es from "@/locales/es/notices.json";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { Devices } from "./Devices";
import { KindTable } from "./KindTable";
import { drafted, toggled, type Preferences, type PreferencesChange } from "./notices.api";
import { Digest, QuietHours } from "./Times";

const PREFERENCES: Preferences = {
  version: 1,
  kinds: [
    { kind: "late", channels: ["bell", "push"] },
    { kind: "inside", channels: ["bell"] },
  ],
  quietFrom: "20:00",
  quietUntil: "07:00",
  digest: false,
  digestOffered: true,
  digestHour: 7,
  publicKey: "BAECAw",
  mailServer: true,
  address: "ana@obrador.test",
  mailRefused: false,
};

/** Requests that change something: method, path and body. */
const sent: [string, string, unknown][] = [];
/** What the server answers by path. */
let answers: Record<string, unknown> = {};

beforeEach(async () => {
  await startI18n(["shared", "notices"]);
  i18next.addResourceBundle("es", "notices", es);
  localStorage.clear();
  storeSession(aSession());
  sent.length = 0;
  answers = { "/api/notices/devices": [] };
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== "GET") {
      const text = await request.text();
      sent.push([request.method, pathname, text === "" ? null : JSON.parse(text)]);
    }
    const body = answers[pathname] ?? PREFERENCES;
    return new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (part: ReactNode) =>
  render(<SWRConfig value={{ provider: () => new Map() }}>{part}</SWRConfig>);
const tick = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

it("keeps the channels of a kind in one order", () => {
  expect(toggled(["push"], "bell")).toEqual(["bell", "push"]);
  expect(toggled(["bell", "push"], "bell")).toEqual(["push"]);
  expect(toggled([], "mail")).toEqual(["mail"]);
});

it("shows a change before it is saved, and keeps what it does not name", () => {
  const change: PreferencesChange = { kinds: [{ kind: "inside", channels: [] }], digest: true };
  expect(drafted(PREFERENCES, change)).toEqual({
    ...PREFERENCES,
    digest: true,
    kinds: [PREFERENCES.kinds[0], { kind: "inside", channels: [] }],
  });
  expect(drafted(PREFERENCES, { quietFrom: null, quietUntil: null })).toEqual({
    ...PREFERENCES,
    quietFrom: null,
    quietUntil: null,
  });
});

it("saves each tick at once, for its kind alone", async () => {
  show(<KindTable preferences={PREFERENCES} />);
  expect(tick("Líneas atrasadas: Navegador").checked).toBe(true);
  expect(tick("Piezas sin salida: Correo").checked).toBe(false);
  fireEvent.click(tick("Piezas sin salida: Correo"));
  await waitFor(() => expect(tick("Piezas sin salida: Correo").disabled).toBe(false));
  expect(sent).toEqual([
    [
      "PUT",
      "/api/notices/preferences",
      { kinds: [{ kind: "inside", channels: ["bell", "mail"] }] },
    ],
  ]);
});

it("offers no channel that the installation does not have", () => {
  show(<KindTable preferences={{ ...PREFERENCES, publicKey: "", mailServer: false }} />);
  expect(tick("Líneas atrasadas: Campana").disabled).toBe(false);
  expect(tick("Líneas atrasadas: Navegador").disabled).toBe(true);
  expect(tick("Líneas atrasadas: Correo").disabled).toBe(true);
});

it("says in words that mails or pushes are not set up", () => {
  show(<Digest preferences={{ ...PREFERENCES, mailServer: false }} />);
  expect(screen.getByText(/EMAIL_URL/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("checkbox").disabled).toBe(true);
  show(<Devices publicKey="" />);
  expect(screen.getByText(/VAPID_KEY/)).toBeTruthy();
});

it("tries a refused address again by an empty change", async () => {
  show(<Digest preferences={{ ...PREFERENCES, mailRefused: true }} />);
  expect(screen.getByRole("alert").textContent).toContain("ana@obrador.test");
  fireEvent.click(screen.getByRole("button", { name: "Intentar de nuevo" }));
  await waitFor(() => expect(sent).toEqual([["PUT", "/api/notices/preferences", {}]]));
});

it("offers no digest to who is not notified of all lines", () => {
  show(<Digest preferences={{ ...PREFERENCES, digestOffered: false }} />);
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("saves quiet hours that differ, and refuses those that do not", async () => {
  show(<QuietHours preferences={PREFERENCES} />);
  const save = screen.getByRole<HTMLButtonElement>("button", { name: "Guardar horas" });
  expect(save.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText("Desde"), { target: { value: "07:00" } });
  expect(screen.getByRole("alert").textContent).toBe("Deben ser horas distintas");
  expect(save.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText("Desde"), { target: { value: "22:30" } });
  fireEvent.click(save);
  const body = { quietFrom: "22:30", quietUntil: "07:00" };
  await waitFor(() => expect(sent).toEqual([["PUT", "/api/notices/preferences", body]]));
});

it("gives quiet hours up, both ends at once", async () => {
  show(<QuietHours preferences={PREFERENCES} />);
  fireEvent.click(screen.getByRole("checkbox", { name: "Tener horas de silencio" }));
  const body = { quietFrom: null, quietUntil: null };
  await waitFor(() => expect(sent).toEqual([["PUT", "/api/notices/preferences", body]]));
});

it("lists browsers with what is wrong with them, and removes one", async () => {
  const device = {
    id: 3,
    label: "Firefox · Linux",
    fingerprint: "f",
    createdAt: "2026-03-02T12:00:00.000Z",
    sentAt: null,
    current: false,
    failing: true,
  };
  answers["/api/notices/devices"] = [device];
  show(<Devices publicKey="BAECAw" />);
  expect(await screen.findByText("Firefox · Linux")).toBeTruthy();
  expect(screen.getByText("Ábralo para que vuelva a recibir avisos")).toBeTruthy();
  expect(screen.queryByText("El último aviso no llegó")).toBeNull();
  expect(
    screen.getByRole<HTMLButtonElement>("button", { name: "Probar Firefox · Linux" }).disabled,
  ).toBe(true);
  answers["/api/notices/devices/3"] = device;
  fireEvent.click(screen.getByRole("button", { name: "Quitar Firefox · Linux" }));
  await waitFor(() => expect(sent).toEqual([["DELETE", "/api/notices/devices/3", null]]));
});

it("says that a browser without a push service gets no notices", async () => {
  show(<Devices publicKey="BAECAw" />);
  expect(await screen.findByText(/Este navegador no recibe avisos/)).toBeTruthy();
});
