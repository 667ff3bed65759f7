import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aPage } from "@/testing/customerPages";
import { LinkedPage } from "./LinkedPage";

const TOKEN = "a-token";
const asked: string[] = [];
const sockets: FakeSocket[] = [];
/** What the server answers to a GET of the page. */
let answered: () => Response;
let stop: () => void = () => {};

class FakeSocket extends EventTarget {
  readonly address: string;
  readonly close = vi.fn<(code: number) => void>();

  constructor(address: string) {
    super();
    this.address = address;
    sockets.push(this);
  }

  says(type: string): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ type }) }));
  }

  ends(code: number): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const refused = (code: string, status = 404) => json({ code, message: code }, status);
/** Let time pass, then let the answers of pending requests arrive. */
async function after(milliseconds: number) {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await vi.advanceTimersByTimeAsync(0);
}
const loads = () => asked.filter((one) => one.startsWith("GET"));

beforeEach(() => {
  asked.length = 0;
  sockets.length = 0;
  answered = () => json(aPage());
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal(
    "fetch",
    vi.fn<typeof fetch>(async (input, init) => {
      const { pathname, search } = new URL(String(input));
      asked.push(`${init?.method ?? "GET"} ${pathname}${search}`);
      return pathname.endsWith("/ticket") ? json({ ticket: "t1" }) : answered();
    }),
  );
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function opened() {
  const linked = new LinkedPage(TOKEN);
  stop = linked.start();
  await after(0);
  return { linked, socket: sockets[0]! };
}

it("loads once as opened, and follows by a socket that holds no token", async () => {
  const { linked, socket } = await opened();
  expect(asked.toSorted()).toEqual(["GET /api/c/a-token?first=true", "POST /api/c/a-token/ticket"]);
  expect(socket.address).toMatch(/\/ws\/events\?ticket=t1$/);
  expect(socket.address).not.toContain(TOKEN);
  socket.says("hello");
  expect(linked.state.get()).toMatchObject({ live: true, error: null });
  await after(10_000);
  expect(loads()).toHaveLength(1);
});

it("sends no session, no referrer and no cookie, and keeps no answer", async () => {
  await opened();
  for (const [, init] of vi.mocked(fetch).mock.calls) {
    expect(init).toMatchObject({
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    expect(new Headers(init?.headers).has("Authorization")).toBe(false);
  }
});

it("loads again after a change, but not more often than every two seconds", async () => {
  const { socket } = await opened();
  socket.says("hello");
  await after(5_000);
  for (let change = 0; change < 20; change += 1) socket.says("page.changed");
  await after(0);
  expect(loads()).toHaveLength(2);
  socket.says("page.changed");
  await after(1_999);
  expect(loads()).toHaveLength(2);
  await after(1);
  expect(loads()).toHaveLength(3);
});

it("loads again after a change that came while it loaded", async () => {
  const { socket } = await opened();
  socket.says("hello");
  await after(5_000);
  socket.says("page.changed");
  vi.advanceTimersByTime(0); // The load begins, and its answer has not come.
  socket.says("page.changed");
  await after(2_000);
  expect(loads()).toHaveLength(3);
});

it.each([
  [900, 1],
  [1_100, 2],
])(
  "loads again if its first socket opened late: after %i ms it has loaded %i times",
  async (ms, times) => {
    const { socket } = await opened();
    await after(ms);
    socket.says("hello");
    await after(2_000);
    expect(loads()).toHaveLength(times);
  },
);

it("connects again after a cut, and loads what it missed", async () => {
  const { linked, socket } = await opened();
  socket.says("hello");
  await after(5_000);
  socket.ends(1012);
  expect(linked.state.get().live).toBe(false);
  await after(1_000);
  expect(sockets).toHaveLength(2);
  sockets[1]!.says("hello");
  await after(0);
  expect(linked.state.get().live).toBe(true);
  expect(loads()).toHaveLength(2);
});

it("ends when its link is revoked: nothing stays on screen, and nothing is asked any more", async () => {
  const { linked, socket } = await opened();
  socket.says("hello");
  answered = () => refused("link_over");
  await after(5_000);
  socket.says("session.ended");
  socket.ends(4401);
  await after(0);
  expect(linked.state.get()).toMatchObject({ page: null, live: false });
  expect(linked.state.get().error?.code).toBe("link_over");
  const before = asked.length;
  await after(600_000);
  expect(asked).toHaveLength(before);
});

it("keeps the page while the server cannot be reached, and recovers", async () => {
  const { linked, socket } = await opened();
  answered = () => {
    throw new TypeError("Failed to fetch");
  };
  socket.ends(1006);
  await after(60_000);
  expect(linked.state.get().page).not.toBeNull();
  expect(linked.state.get().error?.isOffline).toBe(true);
  answered = () => json(aPage({ customerName: "Casa Nueva" }));
  await after(60_000);
  expect(linked.state.get()).toMatchObject({ error: null, page: { customerName: "Casa Nueva" } });
});

it("says that an answer which is no JSON is a failure to try again", async () => {
  answered = () => new Response("<html>Bad gateway</html>", { status: 502 });
  const { linked } = await opened();
  expect(linked.state.get().error).toMatchObject({ status: 502, code: "unexpected_answer" });
  answered = () => json(aPage());
  linked.reload();
  await after(2_000);
  expect(linked.state.get()).toMatchObject({ error: null, page: { customerName: "Casa Morales" } });
});

it("shows the answer to its newest call, whatever comes last", async () => {
  const { linked } = await opened();
  const late: ((response: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => late.push(resolve)));
  await after(5_000);
  linked.reload();
  await after(0);
  linked.reload();
  await after(2_000);
  expect(late).toHaveLength(2);
  late[1]!(json(aPage({ customerName: "Nueva" })));
  await after(0);
  late[0]!(json(aPage({ customerName: "Vieja" })));
  await after(0);
  expect(linked.state.get().page?.customerName).toBe("Nueva");
});
