/** The order of the production processes. */
import type { ProductionProcess } from "@/contract";
import { expect, test } from "./fixtures";

test(
  "processes are reordered by buttons, keyboard and mouse, and another browser follows",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    test.slow();
    const api = await apiOf("admin");
    const order = async () => {
      const all = await api.call<ProductionProcess[]>(
        "GET",
        "/api/production-processes?ordering=order",
      );
      return all.map(({ name }) => name);
    };
    const before = await order();
    const page = await pageOf("boss");
    const watching = await pageOf("admin");
    await watching.goto("/#/catalogs/production-process");
    await expect(watching.getByText("En vivo", { exact: true })).toBeVisible();
    await page.goto("/#/catalogs/production-process");
    await page.getByRole("button", { name: "Ordenar" }).click();
    const drawer = page.getByRole("dialog", { name: "Orden de los procesos" });
    const rows = drawer.getByRole("listitem");
    const [one = "", two = "", three = ""] = before;
    await expect(rows.first()).toContainText(one);

    await drawer.getByRole("button", { name: `Bajar ${one}` }).click();
    await expect(rows.first()).toContainText(two);
    await expect.poll(order).toEqual([two, one, ...before.slice(2)]);
    await expect(watching.locator("tbody tr.ant-table-row").first()).toContainText(two);

    // By keyboard: pick up, move one place up, drop.
    const grip = drawer.getByRole("button", { name: `Mover ${one}` });
    await expect(drawer.locator("ol")).toHaveAttribute("aria-busy", "false");
    await grip.focus();
    await page.keyboard.press("Space");
    await expect(page.getByText(`${one} sobre el lugar 2`)).toBeAttached();
    await page.keyboard.press("ArrowUp");
    await expect(page.getByText(`${one} sobre el lugar 1`)).toBeAttached();
    await page.keyboard.press("Space");
    await expect.poll(order).toEqual(before);

    // By mouse: drag the first to the place of the third, then move it back by buttons.
    await expect(drawer.locator("ol")).toHaveAttribute("aria-busy", "false");
    const from = await grip.boundingBox();
    const to = await drawer.getByRole("button", { name: `Mover ${three}` }).boundingBox();
    if (from === null || to === null) throw new Error("The grips stand nowhere.");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await expect(page.getByText(`${one} sobre el lugar 3`)).toBeAttached();
    await page.mouse.up();
    await expect.poll(order).toEqual([two, three, one, ...before.slice(3)]);
    for (const place of [2, 1]) {
      // oxlint-disable no-await-in-loop -- each move is saved before the next
      await expect(rows.nth(place)).toContainText(one);
      await drawer.getByRole("button", { name: `Subir ${one}` }).click();
      await expect(rows.nth(place - 1)).toContainText(one);
      await expect(drawer.locator("ol")).toHaveAttribute("aria-busy", "false");
      // oxlint-enable no-await-in-loop
    }
    await expect.poll(order).toEqual(before);
  },
);
