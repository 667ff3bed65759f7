/** What every journey uses: people of the demo workshop, pages where they are signed in, and their API calls. */
import {
  test as base,
  expect,
  type APIRequestContext,
  type BrowserContext,
  type Locator,
  type Page,
} from "@playwright/test";
import type { Line, OrderSummary, SalesOrder } from "@/contract";
import { Browsers, type Size } from "./browsers";

export { expect };
export { SIZES, type Size } from "./browsers";

/** A string of digits that no other record has. */
export const unique = () => `${Date.now()}${Math.floor(Math.random() * 1_000)}`;

export const PASSWORD = "Taller.2026";

/** The cast: the e-mails of accounts of the demo workshop. */
export const PEOPLE = {
  admin: "admin@obrador.test",
  worker: "tomas@obrador.test",
  sales: "ventas@obrador.test",
  packer: "marisol@obrador.test",
  boss: "jefe@obrador.test",
  clerk: "facturas@obrador.test",
} as const;
export type Person = keyof typeof PEOPLE;

/** An account made for one journey, which may change it without affecting others. */
export interface Somebody {
  email: string;
  password: string;
}
export type Who = Person | Somebody;

const credentials = (who: Who): Somebody =>
  typeof who === "string" ? { email: PEOPLE[who], password: PASSWORD } : who;

interface Account {
  id: number;
  token: string;
  storage: Record<string, string>;
}

interface Options {
  language?: "es" | "en";
  theme?: "light" | "dark";
  size?: Size;
  /** Use a new browser context: its clock, cache and permissions cannot be reset for other journeys. */
  own?: boolean;
}

/** Calls of one person over HTTP. */
export class Api {
  readonly #request: APIRequestContext;
  readonly #token: string;
  readonly #language: string;

  constructor(request: APIRequestContext, token: string, language = "es") {
    this.#request = request;
    this.#token = token;
    this.#language = language;
  }

  async call<T>(method: string, path: string, data?: unknown): Promise<T> {
    const response = await this.#request.fetch(path, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        "Accept-Language": this.#language,
      },
      ...(data === undefined ? {} : { data }),
    });
    const text = await response.text();
    expect([200, 201], `${method} ${path}: ${text}`).toContain(response.status());
    return JSON.parse(text) as T;
  }

  /** The id of the oldest active entry: it comes from the demo data, and no other journey adds an older one. */
  async firstId(list: string): Promise<number> {
    const asked = `/api/${list}?status=true&ordering=id&limit=1`;
    const [row] = await this.call<{ id: number }[]>("GET", asked);
    if (row === undefined) throw new Error(`The demo has no ${list}.`);
    return row.id;
  }

  /** Create an order with lines of these quantities. */
  async order(...quantities: number[]): Promise<SalesOrder> {
    const [customerId, itemId] = await Promise.all([
      this.firstId("customers"),
      this.firstId("items"),
    ]);
    return this.call("POST", "/api/sales-order", {
      customerId,
      customerSalesOrderId: `E2E-${unique()}`,
      items: quantities.map((quantity) => ({
        itemId,
        quantity,
        deliveryDate: "2099-12-31",
      })),
    });
  }

  approve(orderId: number, position = 1): Promise<Line> {
    const line = `/api/sales-order/${orderId}/position/${position}`;
    return this.call("PUT", `${line}/update-status/Approved`);
  }

  move(type: "in" | "out", line: Line, processId: number, quantity?: number): Promise<Line> {
    const place = `/api/sales-order/${line.salesOrderId}/position/${line.position}`;
    return this.call("PUT", `${place}/production-process/${type}`, {
      productionProcessId: processId,
      ...(quantity === undefined ? {} : { quantity }),
    });
  }
}

interface Fixtures {
  /** The API as this person calls it. */
  apiOf: (person: Who) => Promise<Api>;
  /** A page where the person is signed in, in a browser context that no other page of the journey uses. */
  pageOf: (person: Who, options?: Options) => Promise<Page>;
}

interface WorkerFixtures {
  /** The server of this worker: no journey of another worker changes its data. */
  server: Server;
  browsers: Browsers;
}

const accounts = new Map<string, Account>();

async function signInByApi(request: APIRequestContext, person: Who): Promise<Account> {
  const { email, password } = credentials(person);
  const known = accounts.get(email);
  if (known !== undefined) return known;
  const answer = await request.post("/identity/authentication/sign-in", {
    data: { username: email, password, rememberLogin: true },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  const { access_token: token } = (await answer.json()) as {
    access_token: string;
  };
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const api = new Api(request, token);
  const user = await api.call<{ id: number }>("GET", `/identity/users/${claims.sub}`);
  const described = await api.call<{ action: string }[]>("POST", "/identity/permissions/describe", {
    subjectId: claims.sub,
  });
  const dateLogin = new Date().toLocaleDateString("sv-SE", {
    timeZone: claims.zone,
  });
  const account: Account = {
    id: user.id,
    token,
    storage: {
      token,
      userData: JSON.stringify(user),
      userPermissions: JSON.stringify(described.map(({ action }) => action)),
      dateLogin,
      sesionUsuario: String(user.id),
      // Do not offer the tour, which is offered at the first visit.
      [`tour${user.id}`]: "offered",
    },
  };
  accounts.set(email, account);
  return account;
}

/** A server of playwright.config.ts. `mail`: the port that it sends mails to; 0 if it sends none there. */
interface Server {
  url: string;
  mail: number;
}

const servers = JSON.parse(process.env["E2E_SERVERS"] ?? "[]") as Server[];

export const test = base.extend<Fixtures & { baseURL: string }, WorkerFixtures>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a pattern
    async ({}, use, { parallelIndex }) => use(servers[parallelIndex]!),
    { scope: "worker" },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  apiOf: async ({ request }, use) => {
    await use(async (person) => new Api(request, (await signInByApi(request, person)).token));
  },

  page: async ({ browsers }, use) => {
    const context = await browsers.take("office");
    await use(await context.newPage());
    await browsers.giveBack(context, "office");
  },

  pageOf: async ({ browsers, request }, use) => {
    const taken: { context: BrowserContext; size: Size; own: boolean }[] = [];
    const failures: string[] = [];
    await use(
      async (person, { language = "es", theme = "light", size = "office", own = false } = {}) => {
        const { storage } = await signInByApi(request, person);
        const context = await browsers.take(size, { ...storage, language, theme }, own);
        taken.push({ context, size, own });
        const page = await context.newPage();
        page.on("pageerror", (error) =>
          failures.push(`${page.url()}: ${error.stack ?? error.message}`),
        );
        return page;
      },
    );
    for (const { context, size, own } of taken) {
      // oxlint-disable-next-line no-await-in-loop -- one browser after the other
      await (own ? context.close() : browsers.giveBack(context, size));
    }
    expect(failures, "errors on the pages of this journey").toEqual([]);
  },

  browsers: [
    async ({ browser, server }, use) => {
      const browsers = new Browsers(browser, server.url);
      await use(browsers);
      await browsers.close();
    },
    { scope: "worker" },
  ],
});

/** Count the clicks on the page from its next load on. Returns a function that reads the count. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    addEventListener("pointerdown", () => (counted.clicks += 1), true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

/**
 * Expect a toast that says that `name` was saved. Each toast counts once. Hide it, so that a journey that looks for the
 * record by its name does not find the toast.
 */
export const expectSaved = (page: Page, name = "") =>
  page
    .locator(".ob-toast:not([data-seen])", { hasText: `Guardado correctamente: ${name}` })
    .first()
    .evaluate(hideToast, undefined, { timeout: 20_000 });

function hideToast(toast: HTMLElement): void {
  toast.dataset["seen"] = "";
  toast.style.display = "none";
  for (const part of toast.children) part.textContent = "";
}

/** Sign in through the form. */
export async function signIn(page: Page, person: Who): Promise<void> {
  const { email, password } = credentials(person);
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await page.locator("button[type=submit]").click();
}

/** Choose in a select box: type `text` and take the first option that has it. Returns the option's text. */
export async function choose(page: Page, field: Locator, text = ""): Promise<string> {
  await field.click();
  if (text !== "") await field.fill(text);
  // Wait for the list of this box: that of another box may still be closing.
  await expect(field).toHaveAttribute("aria-controls", /./);
  const list = page.locator(`[id="${await field.getAttribute("aria-controls")}"]`);
  const option = page
    .locator(".ant-select-dropdown")
    .filter({ has: list })
    .locator(".ant-select-item-option")
    .filter({ hasText: text })
    .first();
  const name = (await option.textContent()) ?? "";
  await option.click();
  return name;
}

/** Fill in the required fields of a new order. Returns the names of its customer and its product. */
export async function fillOrder(
  page: Page,
  po: string,
): Promise<{ customer: string; item: string }> {
  const customer = await choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }));
  await page.getByRole("textbox", { name: "PO#" }).fill(po);
  const item = await chooseProduct(page);
  await cell(page, "Cantidad").fill("7");
  return { customer, item };
}

/** A cell in the grid of an order's lines. */
export const cell = (page: Page, name: string, row = 1): Locator =>
  page.getByLabel(new RegExp(`^${name}, (línea|line) ${row}$`));

/** Choose a product by pointer: type `text` and take the first product that has it. Returns its name. */
export async function chooseProduct(page: Page, text = "", row = 1): Promise<string> {
  const field = cell(page, "(Producto|Product)", row);
  await field.click();
  if (text !== "") await field.fill(text);
  const option = page
    .getByRole("listbox")
    .getByRole("option")
    .filter({ hasText: text, has: page.locator("strong") })
    .first();
  const name = (await option.locator("strong").textContent()) ?? "";
  await option.click();
  return name;
}

/** Load the order with this PO. */
export async function savedOrder(api: Api, po: string): Promise<SalesOrder> {
  const [found] = await api.call<OrderSummary[]>("GET", `/api/sales-order?search=${po}`);
  return api.call("GET", `/api/sales-order/${found?.id}`);
}
