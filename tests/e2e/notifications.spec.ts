/** Notifications: the bell and its dialog. */
import type { Notification } from "@/contract";
import { expect, test } from "./fixtures";

const BELL = /notificaci(ón|ones) sin leer$/;

test(
  "marking all notifications as read empties the bell in every tab",
  { tag: "@alone" },
  async ({ pageOf }) => {
    const page = await pageOf("sales");
    const other = await page.context().newPage();
    await other.goto("/#/home");
    await page.goto("/#/home");
    const bells = [page, other].map((each) => each.getByRole("button", { name: BELL }));
    for (const bell of bells) {
      // oxlint-disable-next-line no-await-in-loop -- both tabs, one after the other
      await expect(bell).not.toHaveAccessibleName(/^0 /);
    }
    await bells[0]!.click();
    await page.getByRole("button", { name: "Marcar todas como leídas" }).click();
    await expect(
      page.getByText("Todas las notificaciones fueron marcadas como leídas."),
    ).toBeVisible();
    for (const bell of bells) {
      // oxlint-disable-next-line no-await-in-loop
      await expect(bell).toHaveAccessibleName("0 notificaciones sin leer");
    }
    await bells[0]!.click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
);

test(
  "a mark as read without a server is sent at the next start, a refused one is reported, and a 401 leads to the sign-in",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    // Notices of the person alone, of imports for example, are not kept for the next start.
    const api = await apiOf("admin");
    const { notices } = await api.call<{ notices: { id: number }[] }>("GET", "/api/notices/bell");
    await api.call("POST", "/api/notices/bell/read", { ids: notices.map(({ id }) => id) });
    const page = await pageOf("admin");
    await page.goto("/#/home");
    const bell = page.getByRole("button", { name: BELL });
    await expect(bell).not.toHaveAccessibleName(/^0 /);
    const unread = Number.parseInt((await bell.textContent()) ?? "", 10);
    await page.route("**/read", (route) => route.abort());
    await bell.click();
    await page.getByRole("button", { name: "Marcar como leída" }).first().click();
    const failed = page.getByText("No se pudo marcar la notificación como leída.");
    await expect(failed).toBeVisible();
    const pending = () => page.evaluate(() => localStorage.getItem("pendingReadNotifications"));
    expect(await pending()).toMatch(/^\[\d+\]$/);
    await page.unroute("**/read");
    await page.reload();
    await expect(bell).toHaveAccessibleName(new RegExp(`^${unread - 1} `));
    await expect.poll(pending).toBe("[]");

    await bell.click();
    await page.route("**/read/all", (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole("button", { name: "Marcar todas como leídas" }).click();
    await expect(page.getByText("No se pudieron marcar todas como leídas.")).toBeVisible();
    await page.route("**/read", (route) => route.fulfill({ status: 401, json: {} }));
    await page.getByRole("button", { name: "Marcar como leída" }).first().click();
    await expect(failed).toBeVisible();
    await expect(page).toHaveURL(/#\/login$/);
  },
);

test(
  "the bell counts a line that becomes late, and no longer once it is canceled",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const api = await apiOf("admin");
    const order = await api.order(3);
    const line = `/api/sales-order/${order.id}/position/1`;
    const page = await pageOf("boss");
    await page.goto("/#/home");
    await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
    const bell = page.getByRole("button", { name: BELL });
    await expect(bell).not.toHaveAccessibleName(/^0 /);
    // Lines of other journeys become late too, so compare with the server's list.
    const boss = await apiOf("boss");
    const now = async () => {
      const rows = await boss.call<Notification[]>("GET", "/api/notifications/unread");
      // The badge counts the person's own notices too, as those of calls in other journeys.
      const own = await boss.call<{ notices: unknown[] }>("GET", "/api/notices/bell");
      const shown = Number.parseInt((await bell.textContent()) ?? "", 10);
      const isListed = rows.some(({ message }) => message.salesOrderId === order.id);
      return { isListed, isCounted: shown === rows.length + own.notices.length };
    };
    await api.call("PUT", `${line}/full`, { deliveryDate: "2020-01-01" });
    await expect.poll(now).toEqual({ isListed: true, isCounted: true });
    await api.call("PUT", `${line}/update-status/Canceled`);
    await expect.poll(now).toEqual({ isListed: false, isCounted: true });
  },
);

test(
  "the browser shows an alert while the page is hidden, if the person has enabled it",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const api = await apiOf("admin");
    const order = await api.order(3);
    const page = await pageOf("boss", { own: true });
    await page.context().grantPermissions(["notifications"]);
    await page.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(window, { shown });
      const Own = class extends EventTarget {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title: string, { body }: { body: string }) {
          super();
          shown.push(`${title} · ${body}`);
        }
      };
      Object.assign(window, { Notification: Own });
    });
    await page.goto("/#/home");
    await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: /menú/i }).last().click();
    await page.getByRole("menuitem", { name: "Activar avisos del navegador" }).click();
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    });
    await api.call("PUT", `/api/sales-order/${order.id}/position/1/full`, {
      deliveryDate: "2020-01-01",
    });
    const shown = () => page.evaluate(() => (Reflect.get(window, "shown") as string[]).join());
    const place = `PO#: ${order.customerSalesOrderId}, Orden: 1`;
    await expect
      .poll(shown)
      .toMatch(
        new RegExp(`^Orden por vencer día de entrega · ${place}\\nVenció hace [\\d,]+ días$`),
      );
  },
);
