/** The board of the shop floor (infra/docs/rules.md#board). */
import { expect, test } from "./fixtures";
import { expectAccessible } from "./looks";

test(
  "the board follows a line through its processes, and a card opens its line",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const admin = await apiOf("admin");
    const worker = await apiOf("worker");
    const [first, second] = await worker.call<{ id: number; name: string }[]>(
      "GET",
      "/api/production-processes?status=true&filterByUser=true",
    );
    if (first === undefined || second === undefined) throw new Error("Two processes are needed.");
    const order = await admin.order(20);
    const name = order.customerSalesOrderId;
    // On a phone the board shows every card; on a wall they take turns.
    const board = await pageOf("sales", { size: "handheld" });
    await board.goto(`/#/shop-floor?process=${first.id},${second.id}`);
    await expect(board.getByText("En vivo", { exact: true })).toBeVisible();
    const lane = (process: { name: string }) => board.getByRole("region", { name: process.name });
    const card = (process: { name: string }) =>
      lane(process).getByRole("listitem").filter({ hasText: name });
    await expect(lane(first)).toBeVisible();
    await expect(board.getByText(name)).toHaveCount(0);

    const waiting = async () => {
      const [, shown = "0"] =
        /Esperan (\d[\d,]*)/.exec((await lane(first).textContent()) ?? "") ?? [];
      return Number(shown.replaceAll(",", ""));
    };
    const before = await waiting();
    let line = await admin.approve(order.id);
    await expect.poll(waiting).toBe(before + 20);
    line = await worker.move("in", line, first.id, 15);
    await expect(card(first)).toContainText("15/20");
    await expect(card(first)).toContainText("Tomás Aguilar Reyes");
    expect(await waiting()).toBe(before + 5);
    line = await worker.move("in", line, second.id, 5);
    await expect(card(second)).toContainText("5/20");
    await worker.move("out", line, first.id);
    await expect(card(first)).toHaveCount(0);
    await expect(card(second)).toHaveCount(1);
    await card(second).getByRole("link", { name }).click();
    await expect(board).toHaveURL(new RegExp(`sales-order/${order.id}/position/1$`));
  },
);

test("a board without a connection says so, stops its ages, and catches up when it is back", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(7);
  const board = await pageOf("sales", { own: true });
  await board.clock.install();
  await board.goto(`/#/shop-floor?process=${processId}`);
  await expect(board.getByText("En vivo", { exact: true })).toBeVisible();
  await expect(board.getByRole("region")).toHaveCount(1);
  await expect(board.getByRole("alert")).toHaveCount(0);

  await board.context().setOffline(true);
  await expect(board.getByText("Reconectando")).toBeVisible();
  await board.clock.runFor(5_000);
  await expect(board.getByText(/^Sin conexión: datos de las \d\d:\d\d$/)).toBeVisible();
  const band = (await board.getByRole("alert").boundingBox())!;
  expect(band.width).toBeGreaterThan(0.97 * board.viewportSize()!.width);
  await expectAccessible(board, "the board without the server");
  // A full lane shows its cards in turns.
  const ages = () =>
    board
      .locator(".ob-board-card:has(time)")
      .evaluateAll((cards) =>
        cards.map((card) => [card.dataset["record"], card.querySelector("time")?.textContent]),
      );
  const [alert, shown] = [await board.getByRole("alert").textContent(), await ages()];
  await board.clock.runFor(4 * 60_000);
  const before = new Map(shown as [string, string][]);
  const again = (await ages()).filter(([record]) => before.has(record!));
  expect(again.length).toBeGreaterThan(0);
  expect(again).toEqual(again.map(([record]) => [record, before.get(record!)]));
  expect(await board.getByRole("alert").textContent()).toBe(alert);

  const line = await admin.approve(order.id);
  await admin.move("in", line, processId);
  await board.context().setOffline(false);
  await board.clock.runFor(30_000);
  await expect(board.getByText("En vivo", { exact: true })).toBeVisible();
  await expect(board.getByRole("alert")).toHaveCount(0);
  await expect(board.getByText(order.customerSalesOrderId)).toBeVisible();
});
