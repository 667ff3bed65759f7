import { act, render, screen } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import type { Station } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { aLine, anUndo } from "@/testing/lines";
import { aMovement } from "./queue/aPress";
import type { Settled } from "./queue/sending";
import {
  isUndoable,
  PinnedMovement,
  pressesOf,
  rowsOfPress,
  RecentList,
  useHandOvers,
} from "./RecentList";

const settled = vi.hoisted(() => ({ tell: (_settled: unknown): void => undefined }));
vi.mock("./queue/useMovements", () => ({
  movements: {},
  useMovements: () => ({ movements: [] }),
  useSettled: (listener: (event: unknown) => void) => {
    settled.tell = listener;
  },
}));

const exit: Station["recent"][number] = {
  press: null,
  lines: 1,
  at: "2026-03-14T15:00:00Z",
  type: "out",
  by: "Ana Ruiz",
  byId: 7,
  recordId: 500,
  salesOrderId: 1,
  position: 1,
  customerSalesOrderId: "PO-1",
  itemName: "Anillo",
  itemNameEnglish: "",
  pieces: 6,
};
const handOver = aMovement({
  type: "hand-over",
  to: { productionProcessId: 3, productionProcessName: "Lijado" },
  quantity: 6,
});

function Pinned({ row }: { row: Station["recent"][number] }) {
  const handedOver = useHandOvers({ undoSeconds: 300 } as Station);
  return (
    <PinnedMovement row={row} rows={[row]} handedOver={handedOver(row)} onTakeBack={() => {}} />
  );
}

/** Answer the hand-over: its exit was at 15:00, and may be undone for five minutes. */
function answer(movement = handOver, kind: "done" | "refused" = "done") {
  const undo = { ...anUndo(), side: "out" as const };
  const line = aLine({ actions: { ...aLine().actions, undo: [anUndo(), undo] } });
  const sent: Settled["sent"] =
    kind === "done"
      ? { kind, line, by: exit.at }
      : { kind, why: { code: "not_inside", message: "No hay" } };
  act(() => settled.tell({ movement, sent } satisfies Settled));
}

const pinned = () => screen.getByRole("complementary").textContent;

beforeAll(() => startI18n());

it("names both halves of a hand-over", () => {
  render(<Pinned row={exit} />);
  expect(pinned()).toContain("Salieron 6");
  answer();
  expect(pinned()).toContain("Sacó 6 de Vaciado y metió a Lijado");
});

it("names no hand-over for another exit, an entry, an undo or a refused one", () => {
  const { rerender } = render(<Pinned row={exit} />);
  answer(handOver, "refused");
  answer({ ...handOver, undo: { recordId: 500 } });
  expect(pinned()).toContain("Salieron 6");
  answer();
  rerender(<Pinned row={{ ...exit, at: "2026-03-14T15:00:01Z" }} />);
  expect(pinned()).toContain("Salieron 6");
  rerender(<Pinned row={{ ...exit, type: "in" }} />);
  expect(pinned()).toContain("Entraron 6");
});

it("names all that one press did: the good pieces and the scrapped ones", () => {
  const scrap = { ...exit, type: "scrap" as const, pieces: 1, recordId: 501 };
  const later = { ...exit, at: "2026-03-14T15:00:01Z", recordId: 502 };
  const rows = rowsOfPress({ recent: [later, exit, scrap] } as Station, scrap);
  expect(rows).toEqual([exit, scrap]);
  render(<PinnedMovement row={exit} rows={rows} handedOver={undefined} onTakeBack={() => {}} />);
  expect(pinned()).toContain("Salieron 6 · Se dio de baja 1");
});

it("names a batch by its lines and all of its pieces, because one undo takes them back", () => {
  const [first, second] = [1, 2].map((position) => ({
    ...exit,
    type: "in" as const,
    lines: 2,
    position,
    pieces: 6 * position,
  })) as [typeof exit, typeof exit];
  const rows = rowsOfPress({ recent: [exit, second, first] }, first);
  expect(rows).toEqual([second, first]);
  render(<PinnedMovement row={second} rows={rows} handedOver={undefined} onTakeBack={() => {}} />);
  expect(pinned()).toContain("Entraron 18 Tanda de 2 líneas");
});

it("has one row for each press, with one undo", () => {
  const lines = [1, 2, 3].map((position) => ({
    ...exit,
    press: "b",
    type: "in" as const,
    lines: 3,
    position,
    recordId: position,
  }));
  const scrap = { ...exit, press: "a", type: "scrap" as const, pieces: 1, recordId: 501 };
  const recent = [...lines, { ...exit, press: "a" }, scrap];
  expect(pressesOf({ recent }).map((rows) => rows.length)).toEqual([3, 2]);
  render(
    <RecentList
      station={{ recent } as Station}
      now={Date.parse(exit.at)}
      undoable={{ isUndoing: () => false, mayUndo: (row) => row.lines === 3, takeBack: () => {} }}
    />,
  );
  const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain("Entraron 18 Tanda de 3 líneas");
  expect(rows[1]).toContain("Salieron 6 · Se dio de baja 1 PO-1 · Línea 1");
  expect(screen.getAllByRole("button")).toHaveLength(1);
});

it("offers to undo an entry until all of its pieces have left", () => {
  const now = Date.parse("2026-03-14T15:01:00Z");
  const entry = { ...exit, type: "in" as const, at: "2026-03-14T14:59:00Z", pieces: 10 };
  const offered = (recent: Station["recent"]) =>
    recent.map((row) => isUndoable(row, { recent, undoSeconds: 300 } as Station, 7, now));
  expect(offered([exit, entry])).toEqual([true, true]);
  expect(offered([{ ...exit, pieces: 10 }, entry])).toEqual([true, false]);
  expect(offered([{ ...exit, pieces: 10, byId: null }, entry])).toEqual([false, true]);
  expect(offered([{ ...exit, pieces: 10, position: 2 }, entry])).toEqual([true, true]);
  expect(offered([{ ...entry, byId: 8 }])).toEqual([false]);
});
