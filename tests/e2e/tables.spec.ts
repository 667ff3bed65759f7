/** Every table fits the window. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";

const TABLES = [
  "/administration/permissions",
  "/administration/roles",
  "/administration/users",
  "/administration/audit",
  "/catalogs/customers",
  "/catalogs/components",
  "/catalogs/export-tax-items",
  "/catalogs/companies",
  "/catalogs/materials",
  "/catalogs/production-process",
  "/catalogs/products",
  "/catalogs/lists",
  "/operations/sales-orders",
  "/operations/orders",
  "/reports/bills",
  "/reports/pay-orders?view=records",
  "/reports/paid-orders",
];
/** English words are shorter: test the cards and the narrowest table only. */
const WIDTHS = { es: [800, 1280, 1440], en: [800, 1280] } as const;

/** The most pixels by which a table of the page is wider than its box, and the widths of that page's first cells. */
const beyond = (page: Page) =>
  page.locator(".ant-table-content, .ant-table-body, .ob-table").evaluateAll((boxes) => {
    const px = Math.max(...boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    const cells = px > 0 ? [...document.querySelectorAll<HTMLElement>(".ant-table-row > td")] : [];
    return {
      px,
      cells: cells
        .slice(0, 16)
        .map((cell) => `${cell.innerText} (${cell.offsetWidth})`)
        .join(" | "),
    };
  });

/** What a person typed. */
const TYPED =
  ".ob-bill-words > *, .ob-cell-name, .ob-record-link, .ob-payable__line, .ob-catalog__name, .ob-catalog__text, .ob-admin__roles";

/** Give every typed name of the tables a word of forty letters. React keeps the same nodes. */
const lengthenNames = (page: Page) =>
  page.locator(`.ant-table-row :is(${TYPED})`).evaluateAll((names) => {
    for (const { firstChild } of names) if (firstChild) firstChild.nodeValue = "M".repeat(40);
  });

for (const language of ["es", "en"] as const) {
  test(`no table scrolls sideways (${language})`, async ({ apiOf, pageOf }) => {
    test.slow();
    const api = await apiOf("admin");
    const first = async (list: string) => (await api.call<{ id: number }[]>("GET", list))[0]!.id;
    const order = await first("/api/sales-order?ordering=id&limit=1");
    const bill = await first("/api/deliveries/search?limit=1");
    const page = await pageOf("admin", { language });
    const wide: string[] = [];
    for (const path of [...TABLES, `/operations/sales-orders/${order}`, `/reports/bills/${bill}`]) {
      // oxlint-disable no-await-in-loop -- one after the other
      await page.goto(`/#${path}`);
      for (const width of WIDTHS[language]) {
        await page.setViewportSize({ width, height: 900 });
        const rows = page.locator(width < 1024 ? "main li" : ".ant-table-row");
        await expect(rows.first(), `${path} at ${width}`).toBeVisible();
        const usual = await beyond(page);
        if (usual.px > 0) wide.push(`${path} at ${width}: ${usual.px} px: ${usual.cells}`);
        await lengthenNames(page);
        const longer = await beyond(page);
        if (longer.px > 0)
          wide.push(`${path} at ${width}, long names: ${longer.px} px: ${longer.cells}`);
      }
      // oxlint-enable no-await-in-loop
    }
    expect(wide).toEqual([]);
  });
}
