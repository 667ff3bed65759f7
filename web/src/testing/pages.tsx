/** Show a page or a drawer with a server's answers, for tests. */
import { configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { SWRConfig } from "swr";
import { vi } from "vitest";
import { storeSession, type Session } from "@/shared/session/session";
import { aSession } from "./builders";
import { PLANT } from "./lines";

// The first render of a page takes seconds on a busy machine.
export const SOON = { timeout: 30_000 };
configure({ asyncUtilTimeout: SOON.timeout });

/** A request that the page made. */
export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/**
 * The answers by method and path, `GET /api/metal/summary`, or a function of the request that returns one, or a promise
 * of one. A `Refused` is answered with its status. Other requests are answered with [], and options of processes with
 * `PLANT`.
 */
export type Answers = Record<string, unknown>;

interface Options {
  /** The address, such as `/operations/metal?kind=vault`. */
  at?: string;
  permissions?: Session["permissions"];
  answers: Answers;
}

export class Refused {
  readonly status: number;
  readonly body: object;

  constructor(
    status: number,
    body: { code: string; message: string; params?: object; errors?: object[] },
  ) {
    this.status = status;
    this.body = { params: {}, errors: [], ...body };
  }
}

/** Answer the requests of the client. Returns the requests, which grow. */
export function serve(answers: Answers): Asked[] {
  const all: Asked[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname: path, searchParams } = new URL(request.url);
    const text = request.method === "GET" ? "" : await request.text();
    const asked: Asked = {
      method: request.method,
      path,
      query: Object.fromEntries(searchParams),
      body: text === "" ? undefined : JSON.parse(text),
    };
    all.push(asked);
    const isPlant =
      path === "/api/production-processes" && searchParams.get("fields") === "options";
    const given = answers[`${request.method} ${path}`] ?? (isPlant ? PLANT : []);
    const answer: unknown = typeof given === "function" ? await given(asked) : given;
    const [status, body] = answer instanceof Refused ? [answer.status, answer.body] : [200, answer];
    const headers = { "Content-Type": "application/json" };
    return new Response(JSON.stringify(body), { status, headers });
  });
  return all;
}

/** Returns the requests, which grow, and the router. */
export function showPage(page: ReactNode, { at = "/", permissions = [], answers }: Options) {
  Element.prototype.scrollIntoView = () => undefined;
  const asked = serve(answers);
  storeSession(aSession({ permissions }));
  const router = createMemoryRouter([{ path: "*", element: page }], { initialEntries: [at] });
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <RouterProvider router={router} />
    </SWRConfig>,
  );
  return { asked, router };
}
