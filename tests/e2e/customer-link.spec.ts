/** An order shared by a link: a second browser without an account follows it, answers, and is shut out. */
import type { Browser, Page } from "@playwright/test";
import type { NewCustomerLink, SalesOrder } from "@/contract";
import { countClicks, expect, SIZES, test, type Api, type Size } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";
import { newPerson } from "./people";

const AT_ONCE = 2_000;
const SOON = 30_000;
const NOTE = "Solo para el taller";

/** Each size with a browser of its own language, as customers at home and abroad have. */
const CUSTOMERS = [
  {
    size: "phone",
    locale: "en-GB",
    waiting: "Waiting",
    producing: /^In production/,
    respond: "Answer, line 1",
    approve: "Approve",
    send: "Send",
    over: "This link is no longer valid",
  },
  {
    size: "office",
    locale: "es-MX",
    waiting: "En espera",
    producing: /^En producción/,
    respond: "Responder, línea 1",
    approve: "Aprobar",
    send: "Enviar",
    over: "Este enlace ya no está vigente",
  },
] as const;

/** A browser that has never been here, where nobody is signed in. */
async function customerOf(browser: Browser, size: Size, locale: string, baseURL = "") {
  const context = await browser.newContext({
    baseURL,
    viewport: SIZES[size],
    reducedMotion: "reduce",
    locale,
  });
  return context.newPage();
}

/** Note what a page requests: the addresses, and the origins that it names. */
function watched(page: Page) {
  const asked: { url: string; referer: string }[] = [];
  page.on("request", (request) => {
    const [url = ""] = request.url().split("#");
    asked.push({ url, referer: request.headers()["referer"] ?? "" });
  });
  return asked;
}

async function orderWithNotes(api: Api): Promise<SalesOrder> {
  const order = await api.order(7);
  await api.call("PUT", `/api/sales-order/${order.id}`, { notes: NOTE });
  await api.approve(order.id);
  return order;
}

const linkOf = (api: Api, body: object) =>
  api.call<NewCustomerLink>("POST", "/api/customer-links", body);

for (const { size, locale, ...words } of CUSTOMERS) {
  test(
    `an order is shared in two clicks, followed, answered and revoked (${size}, ${locale})`,
    { tag: "@servers" },
    async ({ apiOf, pageOf, browser, baseURL }) => {
      const api = await apiOf("admin");
      const order = await orderWithNotes(api);
      const po = order.customerSalesOrderId;
      const seller = await newPerson(api, [
        "ListSalesOrders",
        "ListOrders",
        "CreateSalesOrder",
        "ManageCustomerLinks",
      ]);
      await (await apiOf(seller)).call("POST", "/api/notifications/read/all");

      const clerk = await pageOf(seller);
      await clerk.context().route("https://wa.me/**", (route) => route.fulfill({ body: "" }));
      const clicks = await countClicks(clerk);
      await clerk.goto(`/#/operations/sales-orders/${order.id}`);
      await clerk.getByRole("button", { name: "Compartir", exact: true }).click();
      const message = clerk.waitForEvent("popup");
      await clerk.getByRole("button", { name: "WhatsApp" }).click();
      const sent = await message;
      await sent.waitForURL(/^https:\/\/wa\.me\//);
      expect(await clicks()).toBe(2);
      const text = new URL(sent.url()).searchParams.get("text") ?? "";
      expect(text).toContain(po);
      const [address = ""] = /http\S+#\/c\/[\w-]{43}/.exec(text) ?? [];
      const token = address.split("/c/")[1] ?? "";
      expect(token).toHaveLength(43);

      const customer = await customerOf(browser, size, locale, baseURL);
      const asked = watched(customer);
      await customer.goto(address);
      const shown = customer.getByRole("article").filter({ hasText: po });
      await expect(shown.getByText(words.waiting, { exact: true })).toBeVisible();
      await expect(customer.getByText(NOTE)).toHaveCount(0);
      await expectAccessible(customer, `a customer's page: ${size}`);
      await expectWithin(customer, `a customer's page: ${size}`);

      // The floor moves, and the page follows.
      const line = order.items[0]!;
      const processes = await api.call<{ id: number }[]>(
        "GET",
        "/api/production-processes?ordering=order&status=true",
      );
      await api.move("in", line, processes[0]!.id);
      await expect(shown.getByText(words.producing)).toBeVisible({ timeout: SOON });

      // The clerk asks for an approval; the customer gives it, and the clerk's bell rings.
      const sharing = clerk.getByRole("dialog", { name: `Compartir ${po} con el cliente` });
      await sharing.getByRole("button", { name: /^Pedir aprobación/ }).click();
      await sharing.getByRole("textbox", { name: "Qué debe aprobar el cliente" }).fill("¿Así?");
      await sharing.getByRole("button", { name: "Pedir", exact: true }).click();
      await expect(shown.getByText("¿Así?")).toBeVisible({ timeout: SOON });
      await shown.getByRole("button", { name: words.respond }).click();
      await shown.getByRole("radio", { name: words.approve }).check();
      await shown.getByRole("textbox").fill("<b>Preciosa</b>");
      await expectAccessible(customer, `a customer's answer: ${size}`);
      await shown.getByRole("button", { name: words.send, exact: true }).click();
      const bell = clerk.getByRole("button", { name: "1 notificación sin leer" });
      await expect(bell).toBeAttached({ timeout: AT_ONCE });
      await expect(shown.getByText("<b>Preciosa</b>")).toBeVisible();

      // The clerk sees that it was opened, reads the answer, and revokes the link by one click.
      const dialog = clerk.getByRole("dialog", { name: `Compartir ${po} con el cliente` });
      await expect(dialog.getByText(/Abierto 1 vez/)).toBeVisible({ timeout: 15_000 });
      await expect(dialog.getByText(/1 respuesta/)).toBeVisible();
      await dialog.getByRole("button", { name: /^Revocar el enlace/ }).click();
      await expect(customer.getByRole("heading", { name: words.over })).toBeVisible({
        timeout: SOON,
      });
      await expect(customer.getByText(po)).toHaveCount(0);
      await customer.reload();
      await expect(customer.getByRole("heading", { name: words.over })).toBeVisible();
      await expectAccessible(customer, `a link that is over: ${size}`);
      await dialog.getByRole("button", { name: "Cerrar" }).last().click();
      await bell.click();
      await clerk.getByRole("button", { name: new RegExp(`aprobó.*${po}`, "s") }).click();
      const answers = clerk.getByRole("region", { name: "Respuestas del cliente" });
      await expect(answers.getByText("<b>Preciosa</b>")).toBeVisible();

      // The token is in the path of its own calls and nowhere else.
      const own = new URL(`/api/c/${token}`, baseURL).href;
      expect(asked.some(({ url }) => url.startsWith(own))).toBe(true);
      expect(asked.filter(({ url, referer }) => url.startsWith(own) && referer !== "")).toEqual([]);
      expect(asked.filter(({ url }) => url.includes(token) && !url.startsWith(own))).toEqual([]);
      // The customer's page loads neither the sign-in's file nor the shell's.
      expect(asked.filter(({ url }) => /\/static\/(?:start|Shell)-/.test(url))).toEqual([]);
      await customer.context().close();
    },
  );
}

test("a link that was cut, mistyped or glued to a sentence", async ({
  apiOf,
  browser,
  baseURL,
}) => {
  const api = await apiOf("admin");
  const order = await orderWithNotes(api);
  const { token } = await linkOf(api, { salesOrderId: order.id });
  const customer = await customerOf(browser, "phone", "es-MX", baseURL);
  for (const wrong of [token.slice(0, -3), "", `${token}x`]) {
    // oxlint-disable-next-line no-await-in-loop -- one address after the other
    await customer.goto(`/#/c/${wrong}`);
    // oxlint-disable-next-line no-await-in-loop
    await expect(
      customer.getByRole("heading", { name: "Este enlace no abre ningún pedido" }),
    ).toBeVisible();
  }
  for (const glued of [".", ")", "?fbclid=1", "%20gracias"]) {
    // oxlint-disable-next-line no-await-in-loop -- one address after the other
    await customer.goto("about:blank");
    // oxlint-disable-next-line no-await-in-loop
    await customer.goto(`/#/c/${token}${glued}`);
    // oxlint-disable-next-line no-await-in-loop
    await expect(customer.getByText(order.customerSalesOrderId)).toBeVisible();
  }
  await customer.context().close();
});

test("an order that is deleted while its page is open", async ({ apiOf, browser, baseURL }) => {
  const api = await apiOf("admin");
  const order = await api.order(7);
  await api.approve(order.id);
  const { token } = await linkOf(api, { salesOrderId: order.id });
  const customer = await customerOf(browser, "phone", "es-MX", baseURL);
  await customer.goto(`/#/c/${token}`);
  await expect(customer.getByText(order.customerSalesOrderId)).toBeVisible();
  await api.call("DELETE", `/api/sales-order/${order.id}`);
  await expect(
    customer.getByRole("heading", { name: "Este enlace ya no está vigente" }),
  ).toBeVisible({ timeout: SOON });
  await customer.context().close();
});

test("a signed-in browser opens a link as everybody does, and finds back to the product", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(7);
  await api.approve(order.id);
  const { token } = await linkOf(api, { salesOrderId: order.id });
  const page = await pageOf("sales");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["authorization"] !== undefined) asked.push(request.url());
  });
  await page.goto(`/#/c/${token}`);
  await expect(page.getByText(order.customerSalesOrderId)).toBeVisible();
  expect(asked).toEqual([]);
  await page.goto("/#/operations/sales-orders");
  await expect(page.getByRole("button", { name: "Abrir el menú" })).toBeVisible();
  await page.goto(`/#/c/${token}`);
  await expect(page.getByText(order.customerSalesOrderId)).toBeVisible();
  await expect(page.getByRole("button", { name: "Abrir el menú" })).toHaveCount(0);
});
