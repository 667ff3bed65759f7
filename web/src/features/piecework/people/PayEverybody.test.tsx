import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Owed } from "@/contract";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import type { loadOwed, payPeople } from "../piecework.api";
import { PayEverybody } from "./PayEverybody";

const { pay, load } = vi.hoisted(() => ({
  pay: vi.fn<typeof payPeople>(),
  load: vi.fn<typeof loadOwed>(),
}));
vi.mock("../piecework.api", () => ({
  payPeople: pay,
  loadOwed: load,
  useReloadPayments: () => () => undefined,
}));

// The first render takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const DAYS = { from: "2026-03-09", to: "2026-03-15" };
const owed = (userId: number, fullName: string, pieces: number) =>
  ({ userId, fullName, records: 1, pieces, amount: pieces * 2, currency: "MXN" }) as Owed;
const PEOPLE = [owed(1, "Ana Torres", 10), owed(2, "Beto Luna", 4)];
const changed = () =>
  new ApiError(409, {
    code: "owed_changed",
    message: "",
    params: { userIds: [2] },
    errors: [],
  });
const onPaid = vi.fn<() => void>();
const onClose = vi.fn<() => void>();

beforeAll(() => startI18n());
beforeEach(() => vi.resetAllMocks());
afterEach(cleanup);

function show(people: readonly Owed[] = PEOPLE) {
  return <PayEverybody people={people} days={DAYS} onPaid={onPaid} onClose={onClose} />;
}
const yes = () => fireEvent.click(screen.getByRole("button", { name: /Sí, pagar/ }));
const people = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);
const sent = () => pay.mock.calls.map(([, { people: rows }]) => rows);

it("pays what the question says, whatever changes on the page under it", async () => {
  pay.mockResolvedValue([{ id: 31 }, { id: 32 }]);
  const { rerender } = render(show());
  rerender(show([owed(1, "Ana Torres", 99)]));
  expect(people()).toEqual(["Ana Torres10 piezas$20.00 MXN", "Beto Luna4 piezas$8.00 MXN"]);
  yes();
  await vi.waitFor(() => expect(onPaid).toHaveBeenCalledOnce());
  expect(onPaid.mock.calls).toMatchObject([[{ paymentIds: [31, 32], total: 28 }]]);
  expect(sent()).toEqual([
    [
      { userId: 1, records: 1, pieces: 10, amount: 20 },
      { userId: 2, records: 1, pieces: 4, amount: 8 },
    ],
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

it("says whose amount has changed, and asks again with what is owed now", async () => {
  pay.mockRejectedValueOnce(changed()).mockResolvedValueOnce([{ id: 31 }]);
  load.mockResolvedValue([PEOPLE[0]!, owed(2, "Beto Luna", 3)]);
  render(show());
  yes();
  expect((await screen.findByRole("alert")).textContent).toContain("Beto Luna");
  expect(people()).toEqual(["Ana Torres10 piezas$20.00 MXN", "Beto Luna3 piezas$6.00 MXN"]);
  expect(onPaid).not.toHaveBeenCalled();
  // Ant's button stops loading a moment after its dialog says why.
  await vi.waitFor(() => expect(document.querySelector(".ant-btn-loading")).toBeNull());
  yes();
  await vi.waitFor(() => expect(onPaid).toHaveBeenCalledOnce());
  expect(sent()[1]?.map(({ amount }) => amount)).toEqual([20, 6]);
});

it("closes if others paid everybody in the meantime", async () => {
  pay.mockRejectedValueOnce(changed());
  load.mockResolvedValue([]);
  render(show());
  yes();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onPaid).not.toHaveBeenCalled();
});
