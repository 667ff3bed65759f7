/** Pages that need no record, in each look; and the pages that lead nowhere. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { aNotification } from "@/testing/builders";
import { chooseDensity, chooseTheme } from "@/shared/theme/look";
import { signOut } from "@/shared/session/session";
import { open, showApp } from "@/testing/app";
import { aLine, anOrder } from "@/testing/lines";
import { expectGood, expectWithin } from "@/testing/looks";
import { today } from "@/shared/format/plant";

const PREFERENCES = {
  version: 1,
  kinds: [
    { kind: "late", channels: ["bell", "push"] },
    { kind: "inside", channels: ["bell"] },
  ],
  quietFrom: "20:00",
  quietUntil: "07:00",
  digest: false,
  digestOffered: true,
  digestHour: 7,
  publicKey: "",
  mailServer: true,
  address: "ana@obrador.test",
  mailRefused: false,
};
const MATERIALS = [1, 2].map((id) => ({
  id,
  name: `Plata ${id}`,
  description: "",
  status: true,
  version: 1,
}));
const LATE = Array.from({ length: 9 }, (_, place) =>
  aLine({
    id: place + 1,
    position: place + 1,
    customerSalesOrderId: "PO-77",
    late: true,
    deliveryDate: "2026-03-01",
    standing: { ...aLine().standing, kind: "inside", lateDays: 4 },
    inside: [
      {
        productionProcessId: 2,
        quantity: 2,
        since: new Date().toISOString(),
        by: "Luis Vega",
      },
    ],
  }),
);
const EXPIRED = "GET /api/reports/sales-orders/details/deliverydate/expired/all";
const unread = [1, 2].map((id) => aNotification({ deliveryDate: today() }, { id }));
const hash = () => window.location.hash;

it.each([
  { language: "es", theme: "light", size: [1440, 900] },
  { language: "en", theme: "dark", size: [390, 740] },
] as const)("pages look good: %j", async ({ language, theme, size }) => {
  const t = (es: string, en: string) => (language === "es" ? es : en);
  chooseTheme(theme);
  await showApp({
    at: "/account/notices",
    permissions: ["ListMaterials"],
    answers: {
      "GET /api/notices/preferences": PREFERENCES,
      "GET /api/notices/bell": { notices: [], muted: [] },
    },
    language,
    size,
  });
  await expect.element(page.getByRole("table")).toBeVisible();
  await expectGood("my notices");
  if (size[0] > 1000) {
    await page.viewport(1920, 1080);
    expectWithin("my notices on a wall");
  }

  // An unknown page leads home, without a word of permissions.
  window.location.hash = "/no-such-page?x=1";
  await expect
    .element(page.getByText(t("Esta página no existe", "page does not exist")))
    .toBeVisible();
  await expect.poll(hash).toBe("#/home");
  await expect
    .element(page.getByText(t("No tiene permisos", "do not have permission")))
    .not.toBeInTheDocument();

  signOut();
  const submit = page.getByRole("button", { name: t("Iniciar sesión", "Log In") });
  await expect.element(submit).toBeVisible();
  await submit.click();
  await expect.poll(() => document.querySelector("#email-error")?.textContent).toMatch(/./);
  await expectGood("sign-in with errors");
  for (const path of ["/Recuperar/ana%40obrador.test", "/Restablecer/1-x"]) {
    // oxlint-disable no-await-in-loop -- one page after the other
    await open(path);
    await expect.element(page.getByRole("link")).toBeVisible();
    await expectGood(path);
    // oxlint-enable no-await-in-loop
  }
  // An unknown page is the sign-in, and everybody may read the notice of privacy.
  await open("/privacy");
  const article = page.getByRole("article");
  await expect.element(article).toBeVisible();
  expect(article.element().clientWidth).toBeLessThanOrEqual(800);
  await page.getByRole("link", { name: "Volver al inicio de sesión" }).click();
  await expect.poll(hash).toBe("#/login");
  await open("/no/such/page");
  await expect.element(submit).toBeVisible();
  chooseTheme("light");
});

it("shows late lines above the fold, more rows, and reads a notification by its line", async () => {
  const asked = await showApp({
    at: "/dashboard",
    permissions: ["Dashboard", "ListMaterials", "CreateMaterial", "ListOrders", "ListSalesOrders"],
    answers: {
      [EXPIRED]: LATE,
      "GET /api/reports/sales-orders/aggregate/deliverydate/expired/days/7": { count: 9 },
      "GET /api/materials": MATERIALS,
      "GET /api/notifications/unread": () =>
        asked.some(({ method, path }) => method === "POST" && path.endsWith("/2/read"))
          ? unread.slice(0, 1)
          : unread,
      "GET /api/notices/bell": { notices: [], muted: [] },
      "GET /api/sales-order/positions": [aLine({ id: 1, late: true })],
      "GET /api/sales-order/1": anOrder(),
      "GET /api/sales-order/1/position/1": aLine(),
      "POST /api/notifications/2/read": { ...unread[1], read: true },
    },
    size: [1280, 800],
  });
  const late = page.getByRole("row", { name: "PO-77" }).first();
  await expect.element(late).toBeInViewport();
  await expect.element(late).toMatchTextContent(/Vaciado.*desde hace un momento/);
  await expectGood("the dashboard");
  for (const width of [390, 800]) {
    // oxlint-disable-next-line no-await-in-loop -- one width after the other
    await page.viewport(width, 844);
    expectWithin(`the dashboard at ${width}`);
  }
  await page.viewport(1440, 900);

  await open("/catalogs/materials");
  const row = () => document.querySelector(".ob-table__row")?.getBoundingClientRect().height ?? 0;
  await expect.poll(row).toBeGreaterThan(0);
  const before = row();
  const choose = async (name: string) => {
    await page.getByRole("button", { name: /^Menú de / }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await choose("Más renglones por pantalla");
  await expect.poll(row).toBeLessThan(before - 6);
  expect(localStorage.getItem("density")).toBe("compact");
  await choose("Menos renglones, más espacio");
  await expect.poll(row).toBe(before);

  // On a phone a button opens the actions that are rarely needed.
  await page.viewport(390, 844);
  const add = page.getByRole("button", { name: "Nuevo material" });
  const more = page.getByRole("button", { name: "Más", exact: true });
  await expect.element(more).toBeVisible();
  expect(document.querySelectorAll(".ob-page-title__actions button")).toHaveLength(2);
  const topOf = (what: typeof add) => what.element().getBoundingClientRect().top;
  expect(topOf(more)).toBe(topOf(add));
  await more.click();
  await expect.element(page.getByRole("button", { name: /Exportar/ })).toBeVisible();
  await page.viewport(1440, 900);

  const bell = page.getByRole("button", { name: /sin leer$/ });
  await expect.element(bell).toHaveAccessibleName(/^2 /);
  await bell.click();
  const dialog = page.getByRole("dialog", { name: "Notificaciones sin leer: 2" });
  await expect.element(dialog.getByText("Anillo · Platería Norte").first()).toBeVisible();
  const width = () => document.querySelector(".ant-modal-container")!.getBoundingClientRect().width;
  await expect.poll(width).toBe(500);
  await expectGood("notifications");
  await dialog.getByRole("button", { name: "Marcar como leída" }).last().click();
  await expect.element(page.getByText("Notificación marcada como leída.")).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole("article")).toMatchTextContent("PO-1");
  await expect.element(bell).toHaveAccessibleName(/^1 /);
  chooseDensity("comfortable");
});
