import { cleanup, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { openGap } from "@/shared/form/gap";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aBill } from "@/testing/bills";
import { aSession } from "@/testing/builders";
import type { useAddresses } from "./billing.api";
import { MissingToBill, useMended, useMissingAddresses, type Lacking } from "./Missing";

type Addresses = { data: { customer: boolean | null; company: boolean | null } };
const { addresses } = vi.hoisted(() => ({ addresses: vi.fn<() => unknown>() }));
vi.mock("./billing.api", () => ({ useAddresses: addresses as unknown as typeof useAddresses }));

beforeAll(() => startI18n());
afterEach(cleanup);

const answered = (customer: boolean, company: boolean) =>
  addresses.mockReturnValue({ data: { customer, company } } satisfies Addresses);

function Shown() {
  const missing = useMissingAddresses(aBill());
  return (
    <dl>
      <MissingToBill missing={missing} />
    </dl>
  );
}

function gaps(...permissions: ("UpdateCustomer" | "UpdateCompany")[]) {
  storeSession(aSession({ permissions }));
  render(<Shown />);
  return screen.queryAllByRole("button").map((one) => {
    fireEvent.click(one);
    return openGap.get();
  });
}

it("opens the field of each missing address", () => {
  answered(false, false);
  expect(gaps("UpdateCustomer", "UpdateCompany")).toEqual([
    { catalog: "customers", id: 1 },
    { catalog: "companies", id: 2 },
  ]);
});

it("names only the missing address", () => {
  answered(true, false);
  expect(gaps("UpdateCustomer", "UpdateCompany")).toEqual([{ catalog: "companies", id: 2 }]);
});

it("offers nothing to a user who may not change the record", () => {
  answered(false, true);
  expect(gaps()).toEqual([]);
  expect(screen.getByText(/Platería Norte/)).toBeTruthy();
});

it("renders nothing if both addresses exist", () => {
  answered(true, true);
  gaps("UpdateCustomer");
  expect(screen.queryByRole("term")).toBeNull();
});

it("calls back once for each address that was filled in", () => {
  const onMended = vi.fn<(of: Lacking["of"]) => void>();
  const lacking = (...parties: Lacking["of"][]) =>
    parties.map((of) => ({ of, record: { id: 1, name: "" } }));
  const { rerender } = renderHook(({ missing }) => useMended(missing, onMended), {
    initialProps: { missing: lacking("customer", "company") },
  });
  expect(onMended).not.toHaveBeenCalled();
  rerender({ missing: lacking("company") });
  expect(onMended.mock.calls).toEqual([["customer"]]);
  rerender({ missing: lacking() });
  expect(onMended.mock.calls).toEqual([["customer"], ["company"]]);
  rerender({ missing: lacking() });
  expect(onMended).toHaveBeenCalledTimes(2);
});
