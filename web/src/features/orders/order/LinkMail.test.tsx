import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { CustomerLink } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { LinkMail } from "./LinkMail";

const LINK: CustomerLink = {
  id: 5,
  version: 3,
  name: "Para Elena",
  customerId: 1,
  customerName: "Platería del Sur",
  salesOrderId: 7,
  showsPrices: false,
  showsPhotos: true,
  showsPapers: false,
  showsProcesses: false,
  createdAt: "2026-03-02T18:00:00.000Z",
  createdBy: "Ana Torres",
  expiresAt: "2026-09-02T18:00:00.000Z",
  revokedAt: null,
  revokedBy: null,
  over: false,
  openedCount: 0,
  openedAt: null,
  answersCount: 0,
  mailTo: null,
  mailLanguage: null,
  mailStopped: false,
  mailRefused: false,
};
const MAILED = { ...LINK, mailTo: "compras@cliente.example.com", mailLanguage: "en" as const };

/** Changes that were sent: path, `If-Match` and body. */
const sent: [string, string | null, unknown][] = [];
let refused: { code: string; message: string } | null = null;
let mailServer = true;

beforeAll(() => startI18n());
beforeEach(() => {
  storeSession(aSession());
  sent.length = 0;
  [refused, mailServer] = [null, true];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    const headers = { "Content-Type": "application/json" };
    if (request.method === "PUT") {
      sent.push([pathname, request.headers.get("If-Match"), await request.json()]);
      if (refused !== null) {
        return new Response(JSON.stringify(refused), { status: 412, headers });
      }
      return new Response(JSON.stringify(LINK), { headers });
    }
    return new Response(JSON.stringify({ mailServer }), { headers });
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const show = (link: CustomerLink) =>
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <LinkMail link={link} />
    </SWRConfig>,
  );
const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
const field = () => screen.getByRole<HTMLInputElement>("textbox");
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const saveButton = () => button(/Guardar$/); // the sign of a try that is over leaves with a motion
const save = () => fireEvent.click(saveButton());
const closed = () => waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());

it("gives a link without a mail an address, and says that the page's address is not in it", async () => {
  const said = vi.spyOn(toast, "success").mockReturnValue(undefined);
  show(LINK);
  fireEvent.click(button(/^Agregar correo semanal al enlace Para Elena/));
  expect(screen.getByText(/No lleva la dirección de la página/)).toBeDefined();
  expect(button(/^Guardar/).disabled).toBe(true);
  type("compras");
  expect(screen.getByText("No es una dirección de correo.")).toBeDefined();
  expect(button(/^Guardar/).disabled).toBe(true);
  type(" compras@cliente.example.com ");
  save();
  await closed();
  const goes = "El correo semanal va a compras@cliente.example.com";
  expect(said).toHaveBeenCalledExactlyOnceWith(goes);
  const body = { mailTo: "compras@cliente.example.com", mailLanguage: "es" };
  expect(sent).toEqual([["/api/customer-links/5", '"3"', body]]);
});

it("changes the language of a mail, and takes its address away", async () => {
  const said = vi.spyOn(toast, "success").mockReturnValue(undefined);
  show(MAILED);
  fireEvent.click(button(/^Cambiar el correo semanal/));
  expect(field().value).toBe(MAILED.mailTo);
  await userEvent.click(screen.getByText("Español"));
  save();
  await closed();
  fireEvent.click(button(/^Cambiar el correo semanal/));
  type("");
  save();
  await closed();
  expect(said).toHaveBeenLastCalledWith("El enlace ya no tiene correo semanal");
  expect(sent.map(([, , body]) => body)).toEqual([
    { mailTo: MAILED.mailTo, mailLanguage: "es" },
    { mailTo: null, mailLanguage: "en" },
  ]);
});

it("keeps what was typed if somebody else changed the link in the meantime", async () => {
  refused = { code: "stale_version", message: "Alguien lo cambió" };
  const said = vi.spyOn(toast, "error").mockReturnValue(undefined);
  show(MAILED);
  fireEvent.click(button(/^Cambiar el correo semanal/));
  type("elena@cliente.example.com");
  save();
  await waitFor(() => expect(said).toHaveBeenCalledOnce());
  expect(field().value).toBe("elena@cliente.example.com");
  refused = null;
  await waitFor(() => expect(saveButton().className).not.toContain("ant-btn-loading"));
  save();
  await closed();
  expect(sent.map(([, version]) => version)).toEqual(['"3"', '"3"']);
});

it("takes an address away also where no mails are sent, and gives none there", async () => {
  mailServer = false;
  const { unmount } = show(LINK);
  fireEvent.click(button(/^Agregar correo semanal/));
  await waitFor(() => expect(field().disabled).toBe(true));
  unmount();
  show(MAILED);
  fireEvent.click(button(/^Cambiar el correo semanal/));
  await screen.findByText(/EMAIL_URL/);
  expect(field().disabled).toBe(false);
  type("");
  save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]![2]).toEqual({ mailTo: null, mailLanguage: "en" });
});

it("sends the version that the form was opened with, whatever is loaded since", async () => {
  const shown = show(MAILED);
  fireEvent.click(button(/^Cambiar el correo semanal/));
  type("elena@cliente.example.com");
  shown.rerender(
    <SWRConfig value={{ provider: () => new Map() }}>
      <LinkMail link={{ ...MAILED, version: 4 }} />
    </SWRConfig>,
  );
  save();
  await closed();
  expect(sent.map(([, version]) => version)).toEqual(['"3"']);
});
