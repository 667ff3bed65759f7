/** The board follows what others do, by itself. Design of the screens; contract, section 7. */
import { choose, expect, test } from "./fixtures";

test("one moves a line, the other's board follows through the processes", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const worker = await apiOf("worker");
  const [first, second] = await worker.call<{ id: number; name: string }[]>(
    "GET",
    "/api/production-processes?status=true&filterByUser=true",
  );
  if (first === undefined || second === undefined) throw new Error("Two processes are needed.");
  const order = await admin.order(20);
  const name = order.customerSalesOrderId;
  const board = await pageOf("sales");
  await board.goto(`/#/shop-floor?process=${first.id},${second.id}`);
  await expect(board.getByText("En vivo")).toBeVisible();
  const lane = (process: { name: string }) => board.getByRole("region", { name: process.name });
  const card = (process: { name: string }) =>
    lane(process).getByRole("listitem").filter({ hasText: name });
  await expect(lane(first)).toBeVisible();
  await expect(board.getByText(name)).toHaveCount(0);

  let line = await admin.approve(order.id);
  line = await worker.move("in", line, first.id, 15);
  await expect(card(first)).toContainText("15/20");
  await expect(card(first)).toContainText("Tomás Aguilar Reyes");
  line = await worker.move("in", line, second.id, 5);
  await expect(card(second)).toContainText("5/20");
  await worker.move("out", line, first.id);
  await expect(card(first)).toHaveCount(0);
  await expect(card(second)).toHaveCount(1);
});

test("a board that lost its connection catches up when it is back", async ({ apiOf, pageOf }) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(7);
  const board = await pageOf("sales");
  await board.goto(`/#/shop-floor?process=${processId}`);
  await expect(board.getByText("En vivo")).toBeVisible();
  await expect(board.getByRole("region")).toHaveCount(1);
  await board.context().setOffline(true);
  await expect(board.getByText("Reconectando")).toBeVisible();
  const line = await admin.approve(order.id);
  await admin.move("in", line, processId);
  await board.context().setOffline(false);
  await expect(board.getByText("En vivo")).toBeVisible();
  await expect(board.getByText(order.customerSalesOrderId)).toBeVisible();
});

test("the filter is kept in the address and the whole screen is one click away", async ({
  pageOf,
}) => {
  const board = await pageOf("worker", { size: "wall" });
  await board.goto("/#/shop-floor");
  const lanes = board.getByRole("region");
  await expect(lanes.first()).toBeVisible();
  const all = await lanes.count();
  expect(all).toBeGreaterThan(2);
  await choose(board, board.getByRole("combobox", { name: "Todos los procesos" }));
  await expect(lanes).toHaveCount(1);
  await expect(board).toHaveURL(/process=\d+/);
  await board.reload();
  await expect(lanes).toHaveCount(1);
  await board.keyboard.press("Escape");
  await board.getByRole("button", { name: "Pantalla completa" }).click();
  await expect(board.getByRole("button", { name: "Salir de pantalla completa" })).toBeVisible();
  expect(await board.evaluate(() => document.fullscreenElement !== null)).toBe(true);
});
