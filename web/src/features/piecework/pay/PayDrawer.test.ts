import { expect, it } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { besideItsRow } from "./PayDrawer";

const items = [7, 8].map((processRecordId) => ({ processRecordId, quantity: 1, price: 1 }));
const refused = (params: Record<string, unknown>) =>
  new ApiError(409, { code: "exceeds_remaining", message: "Only 3 are left", params, errors: [] });

it("says a lost race beside the record it is about", () => {
  expect(besideItsRow(refused({ processRecordId: 8 }), items)).toMatchObject({
    status: 409,
    errors: [{ field: "items.1.quantity", code: "exceeds_remaining", message: "Only 3 are left" }],
  });
});

it("leaves every other refusal as it is", () => {
  const error = refused({});
  expect(besideItsRow(error, items)).toBe(error);
  expect(besideItsRow(new Error("gone"), items).isOffline).toBe(true);
});
