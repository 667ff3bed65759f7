import { expect, it } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { besideItsRows } from "./PayDrawer";

const items = [7, 8, 9].map((processRecordId) => ({ processRecordId, quantity: 4, price: 1 }));
const refused = (records: { processRecordId: number; remainingQuantity: number }[]) =>
  new ApiError(409, {
    code: "exceeds_remaining",
    message: "Only 3 are left",
    params: { records },
    errors: [],
  });

it("shows a lost race beside each record with pieces left", () => {
  const refusal = refused([
    { processRecordId: 7, remainingQuantity: 0 },
    { processRecordId: 9, remainingQuantity: 3 },
  ]);
  expect(besideItsRows(refusal, items)).toMatchObject({
    status: 409,
    errors: [{ field: "items.2.quantity", code: "exceeds_remaining", message: "Only 3 are left" }],
  });
});

it("marks no field if no record has pieces left", () => {
  expect(
    besideItsRows(refused([{ processRecordId: 7, remainingQuantity: 0 }]), items).errors,
  ).toEqual([]);
});
