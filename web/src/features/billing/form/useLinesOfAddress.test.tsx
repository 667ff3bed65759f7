import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { beforeEach, expect, it, vi } from "vitest";
import type { BillableLine } from "@/contract";
import { useLinesOfAddress } from "./useLinesOfAddress";

const { loadRows } = vi.hoisted(() => ({
  loadRows: vi.fn<() => Promise<{ rows: BillableLine[] }>>(),
}));
vi.mock("@/shared/http/data", () => ({ loadRows }));

const ready = [
  { salesOrderId: 12, position: 1 },
  { salesOrderId: 12, position: 3 },
  { salesOrderId: 13, position: 1 },
] as BillableLine[];
const address = ({ children }: { children: ReactNode }) => (
  <MemoryRouter initialEntries={["/?customerId=7&lines=12-1,12-3"]}>{children}</MemoryRouter>
);
let answer: (lines: BillableLine[]) => void;

beforeEach(() => {
  loadRows.mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = (rows) => resolve({ rows });
      }),
  );
});

function open() {
  const bring = vi.fn<(lines: readonly BillableLine[]) => Promise<void>>(async () => {});
  const shown = renderHook(({ wanted }) => useLinesOfAddress(wanted, bring), {
    wrapper: address,
    initialProps: { wanted: true },
  });
  return { bring, ...shown };
}

it("adds the lines that the address names", async () => {
  const { bring } = open();
  await act(async () => answer(ready));
  expect(bring.mock.calls).toEqual([[ready.slice(0, 2)]]);
});

it("adds nothing if the user chose a customer before the lines arrived", async () => {
  const { bring, rerender } = open();
  rerender({ wanted: false });
  await act(async () => answer(ready));
  expect(bring).not.toHaveBeenCalled();
});
