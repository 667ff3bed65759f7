import { cleanup, render, screen } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { storeSession, type Session } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { OptionSelect } from "./OptionSelect";

const asked: string[] = [];

/** A works of 260 people and as many processes; a page of choices holds 200 at most. */
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
  const rows = Array.from({ length: upTo - from }, (_, place) => ({
    id: from + place + 1,
    name: `Opción ${from + place + 1}`,
  }));
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

it("names a choice that is among the first", async () => {
  show(7, ["ListUsers"]);
  expect(await screen.findByText("Opción 7")).toBeDefined();
  expect(asked).toEqual(["/identity/users"]);
});

it("asks for the name of a choice that came with the address", async () => {
  show(77, ["ListUsers"]);
  expect(await screen.findByText("Persona 77")).toBeDefined();
  expect(screen.queryByText("77")).toBeNull();
});

it("looks for it among the choices where the person may not read the record", async () => {
  show(250, ["ReportPayOrders"]);
  expect(await screen.findByText("Opción 250")).toBeDefined();
  expect(asked).toEqual(["/identity/users", "/identity/users", "/identity/users"]);
});

it("asks for none that the page knows", async () => {
  show(250, ["ListUsers"], "Ana Ruiz");
  expect(await screen.findByText("Ana Ruiz")).toBeDefined();
  expect(asked).toEqual(["/identity/users"]);
});

it("says the number of what is gone", async () => {
  show(999, []);
  expect(await screen.findByText("#999")).toBeDefined();
});
