/** The user's calendar: its address is made, shown once, made again and taken back. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import account from "@/locales/es/account.json";
import forms from "@/locales/es/forms.json";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import CalendarPage from "./CalendarPage";

const ADDRESS = "https://taller.example.com/api/calendar/secret.ics";
let since: string | null;
let refusal: { status: number; body: unknown } | null;

beforeEach(async () => {
  await startI18n(["shared", "account", "forms"]);
  i18next.addResourceBundle("es", "account", account);
  i18next.addResourceBundle("es", "forms", forms);
  localStorage.clear();
  storeSession(aSession());
  since = null;
  refusal = null;
  vi.spyOn(toast, "error");
  vi.stubGlobal("fetch", async (request: Request) => {
    if (refusal !== null) return Response.json(refusal.body, { status: refusal.status });
    if (request.method === "POST") since = "2026-03-02T15:00:00.000Z";
    if (request.method === "DELETE") since = null;
    const found = { since, usedAt: null };
    return request.method === "POST"
      ? Response.json({ ...found, address: ADDRESS }, { status: 201 })
      : Response.json(found);
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
      <CalendarPage />
    </SWRConfig>,
  );
/** A button by its text: while it waits, its name begins with that of its icon. */
const button = (name: string) => screen.findByRole("button", { name: new RegExp(`${name}$`) });
const press = async (name: string) => fireEvent.click(await button(name));

it("shows a new address once, and offers another one and its end", async () => {
  show();
  await screen.findByText(account.calendar.none);
  expect(screen.queryByRole("button", { name: account.calendar.end })).toBeNull();
  await press(account.calendar.make);
  expect(await screen.findByLabelText(account.calendar.address)).toHaveProperty("value", ADDRESS);
  await button(account.calendar.again);
  await press(account.calendar.end);
  await screen.findByText(account.calendar.none);
  expect(screen.queryByLabelText(account.calendar.address)).toBeNull();
});

it("does not show the address of an earlier visit", async () => {
  since = "2026-03-02T15:00:00.000Z";
  show();
  await screen.findByText(/2026-03-02/);
  expect(screen.queryByLabelText(account.calendar.address)).toBeNull();
});

it("says why no address was made", async () => {
  show();
  await screen.findByText(account.calendar.none);
  refusal = {
    status: 403,
    body: { code: "permission_denied", message: "No", params: {}, errors: [] },
  };
  await press(account.calendar.make);
  await waitFor(() => expect(toast.error).toHaveBeenCalledTimes(1));
  expect(screen.queryByLabelText(account.calendar.address)).toBeNull();
});
