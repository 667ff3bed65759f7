import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { showApp } from "@/testing/app";
import { aBatch, aBatchCard } from "@/testing/batches";
import { aStation } from "@/testing/floor";
import { expectGood } from "@/testing/looks";

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='72' height='72'/>";

it("shows on a tablet what a batch holds before it is moved, also if it has many lines", async () => {
  const [line] = aBatch().lines;
  const lines = Array.from({ length: 14 }, (_, place) => ({
    ...line!,
    id: 1 + place,
    position: 1 + place,
    quantity: 1 + place,
    thumbnail: PICTURE,
  }));
  await showApp({
    at: "/shop-floor/station/2",
    size: [800, 1280],
    permissions: ["Station", "SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"],
    answers: {
      "GET /api/station/2": aStation({
        process: { productionProcessId: 2, productionProcessName: "Vaciado", active: true },
      }),
      "GET /api/batches/cards": [aBatchCard({ state: "open", name: "Árbol 3", quantity: 105 })],
      "GET /api/batches/12": aBatch({ name: "Árbol 3", lines, quantity: 105 }),
    },
  });
  await page.getByRole("button", { name: /^Tanda 4 · Árbol 3/ }).click();
  const dialog = page.getByRole("dialog", { name: "Tanda 4 · Árbol 3" });
  const held = dialog.getByRole("list", { name: "Lo que lleva la tanda" }).getByRole("listitem");
  await expect.element(held.nth(0)).toMatchTextContent("PO-1 · línea 1Anillo1 pieza");
  expect(held.elements()).toHaveLength(14);
  const picture = held.nth(0).element().querySelector("img")!.getBoundingClientRect();
  expect([picture.width, picture.height]).toEqual([72, 72]);
  await expect.element(held.nth(3)).toBeInViewport({ ratio: 1 });
  const press = dialog.getByRole("button", { name: "Meter 105 a Vaciado" });
  await expect.element(press).toBeInViewport({ ratio: 1 });
  expect(press.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(110);
  held.nth(13).element().scrollIntoView();
  await expect.element(held.nth(13)).toBeInViewport({ ratio: 1 });
  await expectGood("the dialog of a batch");
});
