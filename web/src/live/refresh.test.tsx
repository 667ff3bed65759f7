import { act, renderHook } from "@testing-library/react";
import useSWR, { SWRConfig, useSWRConfig } from "swr";
import { beforeEach, expect, it, vi } from "vitest";
import type { Line, LineRow, ShopFloor } from "@/contract";
import type { List } from "@/shared/http/data";
import { BOARD, keyOf, LINE, LINES, listKeyOf } from "@/shared/http/keys";
import { aBoard, aLine, aMovement } from "@/testing/lines";
import { CacheUpdater } from "./refresh";

const LINE_1 = keyOf(LINE, { path: { order_id: 1, position: 1 } });
const loadLine = vi.fn<() => Promise<Line>>();
const loadLines = vi.fn<() => Promise<List<LineRow>>>();

/** A page that shows a line, the list of lines and the board, with what keeps them up to date. */
async function aPage(chance = 0) {
  const { result } = renderHook(
    () => ({
      swr: useSWRConfig(),
      line: useSWR(LINE_1, loadLine).data,
      lines: useSWR(listKeyOf(LINES), loadLines).data,
      board: useSWR(keyOf(BOARD), (): Promise<ShopFloor> => Promise.resolve(aBoard())).data,
    }),
    {
      wrapper: ({ children }) => (
        <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
      ),
    },
  );
  await pass(0);
  const { cache, mutate } = result.current.swr;
  return { shown: result, updater: new CacheUpdater(cache, mutate, () => chance) };
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  loadLine.mockReset().mockResolvedValue(aLine());
  loadLines.mockReset().mockResolvedValue({ rows: [aLine()], total: 1, exact: true, next: null });
  return () => vi.useRealTimers();
});

it("follows a batch of events at once", async () => {
  const { shown, updater } = await aPage();
  act(() => updater.apply([aMovement(), aMovement({ version: 6, quantity: 12 })]));
  expect(shown.current.line?.quantity).toBe(12);
  expect(shown.current.lines?.rows[0]?.status).toBe("InProcess");
  expect(shown.current.board?.lanes[0]?.cards).toHaveLength(1);
});

it("applies to an answer under way what came meanwhile, and asks for no other", async () => {
  const { shown, updater } = await aPage();
  let answer: (line: Line) => void = () => undefined;
  loadLine.mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  act(() => void shown.current.swr.mutate(LINE_1));
  // The answer is older than the event.
  updater.apply([aMovement({ version: 6, quantity: 12 })]);
  await pass(500);
  expect(shown.current.line?.quantity).toBe(10);
  answer(aLine({ version: 5, quantity: 11 }));
  await pass(100);
  expect(shown.current.line).toMatchObject({ version: 6, quantity: 12 });
  await pass(100_000);
  expect(loadLine).toHaveBeenCalledTimes(2);
});

/** Seconds after now at which the list of lines is loaded. */
function loadsOfLines(): number[] {
  const started = Date.now();
  const loads: number[] = [];
  loadLines.mockImplementation(async () => {
    loads.push(Math.round((Date.now() - started) / 1_000));
    return { rows: [aLine()], total: 1, exact: true, next: null };
  });
  return loads;
}

/** So many movements, one after the other. */
async function move(updater: CacheUpdater, times: number, milliseconds: number) {
  for (let step = 0; step < times; step += 1) {
    updater.apply([aMovement({ version: 5 + step })]);
    // oxlint-disable-next-line no-await-in-loop -- one movement after the other
    await pass(milliseconds);
  }
}

it("loads a list again at once in a quiet shop, and less often the more happens", async () => {
  const { updater } = await aPage();
  await pass(60_000);
  const loads = loadsOfLines();
  await move(updater, 1, 60_000);
  expect(loads).toEqual([1]);
  await move(updater, 10, 4_000);
  await pass(60_000);
  const gaps = loads.slice(2).map((at, index) => at - loads[index + 1]!);
  expect(gaps.length).toBeGreaterThan(1);
  expect(gaps).toEqual(gaps.toSorted((one, other) => one - other));
  await pass(600_000);
  const again = loadsOfLines();
  await move(updater, 1, 10_000);
  expect(again).toEqual([1]);
});

it("loads a list of a busy shop every 45 s, and a last time after the burst", async () => {
  const { updater } = await aPage();
  await pass(60_000);
  const loads = loadsOfLines();
  await move(updater, 2_000, 50);
  await pass(100_000);
  expect(loads).toEqual([1, 46, 91, 136]);
});

it("does not load at once what was opened just before a burst", async () => {
  const { updater } = await aPage();
  const loads = loadsOfLines();
  await move(updater, 400, 50);
  expect(loads).toEqual([]);
  await pass(100_000);
  expect(loads).toHaveLength(1);
});

it("spreads what every screen loads after one change, the more of them there are", async () => {
  const { updater } = await aPage(0.5);
  updater.shareWith(1_000);
  await pass(60_000);
  const loads = loadsOfLines();
  await move(updater, 1, 90_000);
  expect(loads).toEqual([76]);
});

it("keeps its place in the spread, however many events come meanwhile", async () => {
  const { shown } = await aPage();
  const draws = vi.fn<() => number>(() => 0).mockReturnValueOnce(0.5);
  const { cache, mutate } = shown.current.swr;
  const updater = new CacheUpdater(cache, mutate, draws);
  updater.shareWith(1_000);
  const loads = loadsOfLines();
  for (let version = 6; version < 106; version += 1) {
    updater.apply([aMovement({ version })]);
    // oxlint-disable-next-line no-await-in-loop -- one event after the other
    await pass(500);
  }
  await pass(100_000);
  expect(loads[0]).toBeGreaterThanOrEqual(75);
});
