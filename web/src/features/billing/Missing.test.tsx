import { cleanup, render, renderHook, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
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

function links(...permissions: ("ListCustomers" | "ListCompanies")[]) {
  storeSession(aSession({ permissions }));
  render(
    <MemoryRouter>
      <Shown />
    </MemoryRouter>,
  );
  return screen.queryAllByRole<HTMLAnchorElement>("link").map((one) => one.getAttribute("href"));
}

it("links each missing address to its record", () => {
  answered(false, false);
  expect(links("ListCustomers", "ListCompanies")).toEqual([
    "/catalogs/customers?record=1",
    "/catalogs/companies?record=2",
  ]);
});

it("names only the missing address", () => {
  answered(true, false);
  expect(links("ListCustomers", "ListCompanies")).toEqual(["/catalogs/companies?record=2"]);
});

it("shows no link to a user who may not open the record", () => {
  answered(false, true);
  expect(links()).toEqual([]);
  expect(screen.getByText(/Platería Norte/)).toBeTruthy();
});

it("renders nothing if both addresses exist", () => {
  answered(true, true);
  links("ListCustomers");
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
