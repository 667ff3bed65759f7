import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { WorkList } from "./WorkList";
import type { Work } from "./types";

const drawn = vi.hoisted(() => [] as (string | null)[]);
vi.mock("@/shared/picture/Thumb", () => ({
  Thumb: ({ address }: { address: string | null }) => {
    drawn.push(address);
    return null;
  },
}));

const row = (position: number, change: Partial<Work> = {}): Work => ({
  salesOrderId: 1,
  position,
  customerSalesOrderId: "PO-1",
  customerName: "Platería del Sur",
  itemName: "Anillo",
  image: `/picture-${position}`,
  notes: "",
  quantity: 10,
  deliveryDate: null,
  late: false,
  maxIn: 0,
  ready: 0,
  maxOut: 10,
  since: null,
  by: null,
  weighs: "no",
  call: null,
  waits: false,
  ...change,
});
type Open = (line: Work, direction: "in" | "out") => void;
const list = (rows: readonly Work[], onOpen: Open = () => {}) => (
  <WorkList kind="out" rows={rows} now={0} onOpen={onOpen} />
);

beforeAll(() => startI18n());
beforeEach(() => {
  drawn.length = 0;
});

it("renders the row that a press changed, and no other", () => {
  const { rerender } = render(list([row(1), row(2), row(3)]));
  expect(drawn).toEqual(["/picture-1", "/picture-2", "/picture-3"]);
  rerender(list([row(1), row(2, { maxOut: 4, waits: true }), row(3)]));
  expect(drawn.slice(3)).toEqual(["/picture-2"]);
  expect(screen.getAllByRole("listitem")[1]?.textContent).toContain("4");
});

it("counts the pieces that wait, and of a line that comes later those that may enter", () => {
  const waits = row(1, { maxIn: 10, ready: 4 });
  const later = row(2, { maxIn: 7 });
  const shown = <WorkList kind="in" rows={[waits]} later={[later]} now={0} onOpen={() => {}} />;
  const figures = render(shown).container.querySelectorAll(".ob-work__pieces strong");
  expect([...figures].map(({ textContent }) => textContent)).toEqual(["4", "7"]);
});

it("says the day of delivery as people do, and how late the line is", () => {
  vi.setSystemTime("2099-12-01T18:00:00Z");
  render(list([row(1, { deliveryDate: "2099-11-27", late: true })]));
  vi.useRealTimers();
  expect(screen.getByRole("listitem").textContent).toContain("4 días tardeEntrega vie 27 nov");
});

it("opens the line with the newest handler", async () => {
  const before = vi.fn<Open>();
  const now = vi.fn<Open>();
  const { rerender } = render(list([row(1)], before));
  rerender(list([row(1)], now));
  await userEvent.click(screen.getByRole("button"));
  expect(before).not.toHaveBeenCalled();
  expect(now.mock.calls).toEqual([[row(1), "out"]]);
});
