/** Browsers and extensions that translate a page replace its texts by `font` elements. The client survives that. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";

const crashed = (page: Page) => page.getByText("Algo falló en esta pantalla");

/** Replace each text by two nested `font` elements with a copy of it. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
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
  });
}

test("a translated board still follows movements", async ({ apiOf, pageOf }) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(20);
  let line = await admin.approve(order.id);
  line = await admin.move("in", line, processId, 15);
  const board = await pageOf("sales", { size: "handheld" });
  await board.goto(`/#/shop-floor?process=${processId}`);
  const card = board.getByRole("listitem").filter({ hasText: order.customerSalesOrderId });
  await expect(card).toContainText("15/20");
  for (const left of [12, 7]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await translate(board);
    line = await admin.move("out", line, processId, left === 12 ? 3 : 5);
    await expect(card).toContainText(`${left}/20`);
    // oxlint-enable no-await-in-loop
  }
  await translate(board);
  await admin.move("out", line, processId);
  await expect(card).toHaveCount(0);
  await expect(crashed(board)).toHaveCount(0);
});
