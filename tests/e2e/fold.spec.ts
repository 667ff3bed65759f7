/** The client applies many events to what it shows, and reaches what a new load answers. */
import type {
  Line,
  LineEvent,
  LineRow,
  LiveEvent,
  ProcessOption,
  ProcessRecord,
  SalesOrder,
  ShopFloor,
} from "@/contract";
import { floorOf } from "../../web/src/features/shop-floor/boardView";
import { expect, test, unique, type Api } from "./fixtures";

const EVENTS = Number(process.env["FOLD_EVENTS"] ?? 120);
const LINES = 6;

/** A pseudo-random generator, the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

/** Make one change that the line offers, chosen at random. Returns the line after it. */
async function act(api: Api, line: Line, roll: (sides: number) => number): Promise<Line> {
  const path = `/api/sales-order/${line.salesOrderId}/position/${line.position}`;
  const { movements, release, statuses, undo, edit } = line.actions;
  const choice = roll(10);
  if (choice === 0 && release.length > 0) {
    const { productionProcessId } = release[roll(release.length)]!;
    return api.call("DELETE", `${path}/production-process/${productionProcessId}`);
  }
  if (choice === 1 && undo.length > 0) {
    return api.call("POST", `${path}/records/${undo[0]!.recordId}/undo`);
  }
  if (choice === 2 && edit) return api.call("PUT", `${path}/full`, { notes: `Nota ${unique()}` });
  const status = statuses.find((one) => one !== "Canceled");
  if (status !== undefined && (choice === 3 || movements.length === 0)) {
    return api.call("PUT", `${path}/update-status/${status}`);
  }
  if (movements.length === 0) return line;
  const { type, productionProcessId, maxQuantity } = movements[roll(movements.length)]!;
  return api.move(type, line, productionProcessId, 1 + roll(maxQuantity));
}

test(
  "after many events every screen shows what a new load answers",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    test.setTimeout(45_000 + EVENTS * 400);
    const [api, other] = [await apiOf("admin"), await apiOf("boss")];
    const page = await pageOf("admin");
    const events: LiveEvent[] = [];
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        events.push(...([JSON.parse(String(payload))].flat() as LiveEvent[]));
      }),
    );
    await page.goto("/#/home");
    await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
    const stored = await page.evaluate(() => ({ ...localStorage }) as Record<string, string>);
    const nothing = () => undefined;
    const storage = (kept: Record<string, string>) => ({
      getItem: (key: string) => kept[key] ?? null,
      setItem: nothing,
      removeItem: nothing,
    });
    Object.assign(globalThis, {
      window: { addEventListener: nothing, removeEventListener: nothing },
      document: { addEventListener: nothing },
      localStorage: storage(stored),
      sessionStorage: storage({}),
    });
    const { forgetDocuments, put, take, view } = await import("../../web/src/shared/http/store");
    const { applicationOf } = await import("../../web/src/live/apply");
    const { BOARD, HISTORY, keyOf } = await import("../../web/src/shared/http/keys");
    const { holdProcesses } = await import("../../web/src/entities/processes");
    // Other journeys run in this process: their modules must not take it for a browser.
    Reflect.deleteProperty(globalThis, "window");
    Reflect.deleteProperty(globalThis, "document");

    const made = await api.order(...Array.from({ length: LINES }, () => 40));
    const place = `/api/sales-order/${made.id}`;
    for (let position = 1; position <= LINES; position += 1) await api.approve(made.id, position);
    const loadOnce = async () => ({
      order: await api.call<SalesOrder>("GET", place),
      line: await api.call<Line>("GET", `${place}/position/1`),
      rows: await api.call<LineRow[]>(
        "GET",
        `/api/sales-order/positions?search=${made.customerSalesOrderId}&ordering=id`,
      ),
      history: await api.call<ProcessRecord[]>("GET", `${place}/position/1/history`),
      board: await api.call<ShopFloor>("GET", "/api/shop-floor"),
    });
    /** Load all answers as of the same event: forecasts are made meanwhile. */
    const load = async () => {
      for (let before = 0; ;) {
        const loaded = await loadOnce();
        if (loaded.board.eventId === before) return loaded;
        before = loaded.board.eventId;
      }
    };

    const named = (active: string) =>
      api.call<ProcessOption[]>(
        "GET",
        `/api/production-processes?fields=options&ordering=place${active}`,
      );
    const [all, active] = [await named(""), await named("&status=true")];
    const isActive = (id: number) => active.some((one) => one.id === id);
    holdProcesses(all.map((one) => ({ ...one, active: isActive(one.id) })));

    const shown = await load();
    forgetDocuments();
    take(shown);
    const from = shown.board.eventId;
    const { version } = shown.line;
    const roll = dice(7);
    let lines = shown.order.items;
    for (let step = 0; step < EVENTS; step += 1) {
      // One person after the other acts on the line as they see it.
      const index = roll(LINES);
      const by = roll(2) === 0 ? api : other;
      const mine =
        by === api ? lines[index]! : await by.call<Line>("GET", `${place}/position/${index + 1}`);
      const changed = await act(by, mine, roll);
      lines = lines.map((line) => (line.position === changed.position ? changed : line));
      if (by === other)
        lines[index] = await api.call<Line>("GET", `${place}/position/${index + 1}`);
    }

    const fresh = await load();
    const last = () => events.at(-1)?.id ?? 0;
    // The newest event may be for somebody else. One that comes after it is for everybody.
    await api.order(1);
    await expect.poll(last).toBeGreaterThan(fresh.board.eventId);
    const heard = events.filter(
      ({ id, type }) => id > from && id <= fresh.board.eventId && type.startsWith("line."),
    ) as LineEvent[];
    expect(heard.length).toBeGreaterThan(EVENTS / 2);

    const keys = {
      history: keyOf(HISTORY, { path: { order_id: made.id, position: 1 } }),
      board: keyOf(BOARD),
    };
    for (const event of heard) {
      const { documents = [], lists = [] } = applicationOf(event);
      put(documents);
      for (const { covers, change } of lists) {
        if (covers(keys.history)) shown.history = change(view(shown.history)) as ProcessRecord[];
        if (covers(keys.board)) shown.board = change(view(shown.board)) as ShopFloor;
      }
    }
    // Leave out what differs for other reasons: offers to undo expire, no event carries the usual pace of
    // a process, and each answer signs the addresses of its pictures.
    const untold = ["undo", "thumbnail", "image", "usualSeconds", "piecesADay"];
    const asShown = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (name, part: unknown) => {
          // A forecast that was made again and says the same is no event.
          if (name === "forecast" && part !== null) return { ...(part as object), at: undefined };
          return untold.includes(name) ? undefined : part;
        }),
      ) as Record<string, unknown>;
    expect(fresh.line.version).toBeGreaterThan(version);
    expect(asShown(view(shown.line))).toMatchObject(asShown(fresh.line));
    expect(asShown(view(shown.order))).toMatchObject(asShown(fresh.order));
    expect(asShown(view(shown.rows))).toMatchObject(asShown(fresh.rows));
    expect(view(shown.history)).toEqual(fresh.history);
    expect(asShown(floorOf(view(shown.board)).lanes)).toMatchObject(
      asShown(floorOf(fresh.board).lanes),
    );
  },
);
