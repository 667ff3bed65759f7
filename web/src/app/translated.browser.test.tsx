/** Browsers and extensions that translate a page replace its texts by `font` elements. The client survives that. */
import { beforeAll, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { open, showApp } from "@/testing/app";
import { aSummary } from "@/testing/lines";
import type { Asked } from "@/testing/pages";
import { followTranslators } from "./translators";

beforeAll(followTranslators);

/** Replace each text by two nested `font` elements with a copy of it. */
function translate(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.data.trim() === "" || text.parentElement?.closest("script, style, svg")) continue;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
  }
}

const ORDERS = "/operations/sales-orders";
const hash = () => window.location.hash;

it("a translated list is searched, and translated forms are filled in, refused and left", async () => {
  await showApp({
    at: ORDERS,
    permissions: ["ListSalesOrders", "CreateSalesOrder", "ListMaterials", "CreateMaterial"],
    answers: {
      "GET /api/sales-order": ({ query }: Asked) =>
        (query["status"] === undefined ? [1, 2] : [1]).map((id) =>
          aSummary({ id, customerSalesOrderId: `PO-${id}` }),
        ),
      "GET /api/materials": [
        { id: 1, name: "Plata 925", description: "", status: true, version: 1 },
      ],
      "GET /api/customers": [{ id: 1, name: "Platería Norte" }],
    },
  });
  const crashed = () => document.body.textContent.includes("Algo falló en esta pantalla");
  const rows = () => document.querySelectorAll("tr[data-row]").length;
  const filter = page.getByRole("main").getByRole("combobox").first();
  await expect.poll(rows).toBe(2);
  for (const _ of [1, 2]) {
    // oxlint-disable no-await-in-loop -- one after the other
    translate();
    (filter.element() as HTMLElement).focus();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(page.getByRole("option").first()).toBeInTheDocument();
    translate();
    await userEvent.keyboard("{Enter}");
    await expect.poll(rows).toBe(1);
    expect(hash()).toMatch(/status=/);
    translate();
    (filter.element() as HTMLElement).focus();
    await userEvent.keyboard("{Delete}");
    await expect.poll(rows).toBe(2);
    expect(hash()).toBe(`#${ORDERS}`);
    expect(crashed()).toBe(false);
    // oxlint-enable no-await-in-loop
  }

  await open("/catalogs/materials");
  const search = page.getByRole("main").getByRole("searchbox");
  await expect.element(page.getByRole("link", { name: "Plata 925" })).toBeVisible();
  translate();
  for (const typed of ["zzz", ""]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await search.fill(typed);
    await expect.poll(() => hash().includes("zzz")).toBe(typed !== "");
    translate();
    // oxlint-enable no-await-in-loop
  }
  (search.element() as HTMLElement).blur();
  await userEvent.keyboard("n");
  const form = page.getByRole("dialog");
  await expect.element(form).toBeVisible();
  translate();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  translate();
  await userEvent.keyboard("{Escape}");
  await expect.element(form).not.toBeInTheDocument();

  await open(`${ORDERS}/new`);
  const customer = page.getByRole("combobox", { name: "Cliente" });
  await expect.element(customer).toBeVisible();
  translate();
  await customer.click();
  await page.getByTitle("Platería Norte").click();
  translate();
  await page.getByRole("button", { name: "Guardar orden" }).click();
  const missing = page.getByText("El consecutivo del cliente (PO#) es obligatorio");
  await expect.element(missing).toBeVisible();
  translate();
  await page.getByRole("textbox", { name: "PO#" }).fill("T-1");
  await expect.element(missing).not.toBeInTheDocument();
  expect(crashed()).toBe(false);
});
