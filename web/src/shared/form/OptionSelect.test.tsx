import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { nameKey } from "@/shared/format/folded";
import { startI18n } from "@/shared/i18n";
import { storeSession, type Session } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { OptionSelect } from "./OptionSelect";

const asked: string[] = [];

/** A server with 260 options in each catalog, in pages of at most 200. */
async function server(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  asked.push(pathname);
  const one = /\/(\d+)$/.exec(pathname)?.[1];
  const json = (body: unknown, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), {
      headers: { "Content-Type": "application/json", ...headers },
    });
  if (one !== undefined) return json({ id: Number(one), fullName: `Persona ${one}` });
  const from = Number(searchParams.get("cursor") ?? 0);
  const upTo = Math.min(260, from + Number(searchParams.get("limit")));
  const wanted = nameKey(searchParams.get("search") ?? "");
  const rows = Array.from({ length: upTo - from }, (_, place) => ({
    id: from + place + 1,
    name: `Opción ${from + place + 1}`,
  })).filter(({ name }) => nameKey(name).includes(wanted));
  return json(rows, upTo < 260 ? { Link: `<${pathname}?cursor=${upTo}>; rel="next"` } : {});
}

beforeAll(() => startI18n());
afterEach(() => {
  cleanup();
  asked.length = 0;
  vi.unstubAllGlobals();
});

function show(value: number, permissions: Session["permissions"], valueName?: string) {
  vi.stubGlobal("fetch", server);
  storeSession(aSession({ permissions }));
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <OptionSelect catalog="users" placeholder="Persona" value={value} valueName={valueName} />
    </SWRConfig>,
  );
}

it("takes the name of a choice from the first options", async () => {
  show(7, ["ListUsers"]);
  expect(await screen.findByText("Opción 7")).toBeDefined();
  expect(asked).toEqual(["/identity/users"]);
});

it("loads the record of a choice that is not among the first options", async () => {
  show(77, ["ListUsers"]);
  expect(await screen.findByText("Persona 77")).toBeDefined();
  expect(screen.queryByText("77")).toBeNull();
});

it("looks for the name in all options if the user may not read the record", async () => {
  show(250, ["ReportPayOrders"]);
  expect(await screen.findByText("Opción 250")).toBeDefined();
  expect(asked).toEqual(["/identity/users", "/identity/users", "/identity/users"]);
});

it("loads no name that the page provides", async () => {
  show(250, ["ListUsers"], "Ana Ruiz");
  expect(await screen.findByText("Ana Ruiz")).toBeDefined();
  expect(asked).toEqual(["/identity/users"]);
});

it("shows the id of a choice that no longer exists", async () => {
  show(999, []);
  expect(await screen.findByText("#999")).toBeDefined();
});

function showCreating(permissions: Session["permissions"]) {
  vi.stubGlobal("fetch", server);
  storeSession(aSession({ permissions }));
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <OptionSelect catalog="components" creates="components" placeholder="Componente" />
    </SWRConfig>,
  );
  const field = screen.getByRole("combobox");
  return {
    type: (value: string) => {
      fireEvent.mouseDown(field);
      fireEvent.change(field, { target: { value } });
    },
  };
}

it("offers to create what no option has", async () => {
  const { type } = showCreating(["CreateComponent"]);
  type("Broche");
  expect(await screen.findByText("Crear «Broche»")).toBeDefined();
  type("  OPCIÓN   7 ");
  await waitFor(() => expect(screen.queryByText(/^Crear/)).toBeNull());
  type("Opción 7 de plata");
  expect(await screen.findByText("Crear «Opción 7 de plata»")).toBeDefined();
});

it("offers to create nothing to who may not", async () => {
  const { type } = showCreating(["ListComponents"]);
  type("Opción 2");
  await waitFor(() => expect(asked.length).toBeGreaterThan(1));
  expect(await screen.findByText("Opción 2")).toBeDefined();
  expect(screen.queryByText(/^Crear/)).toBeNull();
});
