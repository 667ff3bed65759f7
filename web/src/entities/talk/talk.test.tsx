import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { aLine } from "@/testing/lines";
import { toast } from "@/shared/ui/toast";
import { OpenCall } from "./OpenCall";
import Talk from "./Talk";

vi.mock("@/shared/session/session", async (original) => ({
  ...(await original<object>()),
  useSignedIn: () => ({ user: { id: 7 } }),
}));

const AT = "2026-03-14T15:00:00.000Z";
const ana = { id: 7, fullName: "Ana Ruiz" };
const eva = { id: 8, fullName: "Eva Luna" };

const aMessage = (id: number, change: Partial<Message> = {}): Message => ({
  id,
  salesOrderId: 1,
  position: 1,
  kind: "talk",
  text: `Mensaje ${id}`,
  photo: null,
  photoThumbnail: null,
  productionProcessId: null,
  mentions: [],
  by: ana,
  at: AT,
  receivedAt: null,
  coming: null,
  ...change,
});

let messages: Message[] = [];
let written: [path: string, body: unknown][] = [];
let status = 200;

const json = (code: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status: code,
    headers: { "Content-Type": "application/json", ...headers },
  });

vi.stubGlobal("fetch", async (request: Request) => {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method === "POST") {
    written.push([pathname, await request.json()]);
    if (status !== 200) return json(status, { code: "forbidden", message: "No", errors: [] });
    return json(201, aMessage(9, { kind: "stop", coming: { by: eva, at: AT } }));
  }
  if (pathname.endsWith("/messages")) return json(200, messages);
  if (pathname === "/identity/users") {
    const left = { id: 7, name: "Iván Rojas" }; // inactive
    const stays = { id: 8, name: "Eva Luna" };
    return json(200, searchParams.get("active") === "true" ? [stays] : [left, stays]);
  }
  if (pathname === "/identity/roles") return json(200, [{ id: 3, name: "Ventas" }]);
  return json(200, [{ id: 2, name: "Vaciado", nameEnglish: "", order: 1, weighs: "no" }]);
});

beforeAll(() => startI18n());
beforeEach(() => {
  messages = [];
  written = [];
  status = 200;
});
afterEach(cleanup);

const line = aLine({ salesOrderId: 1, position: 1 });
const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Talk line={line} keyed={false} />
    </SWRConfig>,
  );

describe("the thread of a line", () => {
  it("shows the newest message last, with who comes, and what was erased", async () => {
    messages = [
      aMessage(3, { kind: "stop", text: "", coming: { by: eva, at: AT } }),
      aMessage(2, { text: "", by: eva }),
      aMessage(1, { mentions: [{ kind: "user", id: 8, name: "Eva Luna" }] }),
    ];
    show();
    await screen.findByText("Mensaje 1");
    const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/^Ana Ruiz.*Mensaje 1Avisó a Eva Luna$/);
    expect(rows[1]).toContain("(borrado)");
    expect(rows[2]).toMatch(/^Alto · Ana Ruiz.*Eva Luna va/);
  });

  it("sends a text with whom it tells, and keeps what was typed if it is refused", async () => {
    show();
    await screen.findByText("Nadie ha escrito de esta línea.");
    await userEvent.click(screen.getByRole("button", { name: "Escribir" }));
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: /Escriba/ });
    expect(document.activeElement).toBe(field);
    const send = screen.getByRole<HTMLButtonElement>("button", { name: "Enviar" });
    expect(send.disabled).toBe(true);
    await userEvent.type(field, "¿Quién la tiene?");
    await userEvent.click(screen.getByRole("combobox"));
    await screen.findByText("@Eva Luna");
    expect(screen.queryByText("@Iván Rojas")).toBeNull();
    await userEvent.click(screen.getByText("@Eva Luna"));
    status = 403;
    await userEvent.click(send);
    await vi.waitFor(() => expect(written).toHaveLength(1));
    await vi.waitFor(() => expect(send.disabled).toBe(false));
    expect(field.value).toBe("¿Quién la tiene?");
    status = 200;
    await userEvent.click(send);
    await screen.findByRole("button", { name: "Escribir" });
    const body = {
      kind: "talk",
      text: "¿Quién la tiene?",
      mentions: [{ kind: "user", id: 8 }],
    };
    const path = "/api/sales-order/1/position/1/messages";
    expect(written).toEqual([
      [path, body],
      [path, body],
    ]);
  });

  it("sends a call without a text", async () => {
    show();
    await userEvent.click(screen.getByRole("button", { name: "Escribir" }));
    await userEvent.click(screen.getByText("Alto"));
    await userEvent.click(screen.getByRole("button", { name: "Enviar" }));
    await vi.waitFor(() => expect(written).toHaveLength(1));
    expect(written[0]![1]).toEqual({ kind: "stop", text: "", mentions: [] });
  });
});

describe("an open call", () => {
  it("is answered at one touch, which opens no row", async () => {
    const opened = vi.fn<() => void>();
    document.body.addEventListener("click", opened);
    const said = vi.spyOn(toast, "success").mockImplementation(() => undefined as never);
    render(<OpenCall line={{ ...line, call: { id: 9, kind: "stop", at: AT } }} />);
    const chip = screen.getByText(/^Alto · desde/);
    expect(chip.className).toContain("ob-chip--bad");
    await userEvent.click(screen.getByRole("button", { name: /^Voy: Alto/ }));
    expect(written).toEqual([["/api/sales-order/1/position/1/messages/9/coming", {}]]);
    expect(opened).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(said).toHaveBeenCalledWith("Eva Luna ya va."));
  });

  it("is nothing on a line without one", () => {
    const { container } = render(<OpenCall line={line} />);
    expect(container.innerHTML).toBe("");
  });
});
