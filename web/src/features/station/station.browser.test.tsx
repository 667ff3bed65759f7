import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Line, StationScan } from "@/contract";
import { showApp } from "@/testing/app";
import { aStation } from "@/testing/floor";
import { aLine, aRecord, PLANT, someInside, someWaiting } from "@/testing/lines";
import { expectGood } from "@/testing/looks";
import { Refused, type Asked } from "@/testing/pages";
import { scan } from "@/testing/scanner";

const HERE = { productionProcessId: 2, productionProcessName: "Vaciado", weighs: "no" as const };
const THERE = { ...HERE, productionProcessId: 3, productionProcessName: "Lijado" };
const UNKNOWN = "Ese código no existe";
const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='900'/>";

/** A line of an order, which waits here. */
function waiting(salesOrderId: number, quantity: number): Line {
  return aLine({
    id: salesOrderId,
    salesOrderId,
    customerSalesOrderId: `PO-${salesOrderId}`,
    quantity,
    image: PICTURE,
    waiting: [someWaiting({ quantity })],
    offers: { ...aLine().offers, in: [{ maxQuantity: quantity, productionProcessIds: [2] }] },
  });
}
/** The same line, with all its pieces inside here. */
function inside(line: Line): Line {
  const { quantity } = line;
  return {
    ...line,
    status: "InProcess",
    version: line.version + 1,
    quantityInside: quantity,
    waiting: [],
    inside: [someInside({ quantity })],
    offers: { ...aLine().offers, out: [{ productionProcessId: 2, maxQuantity: quantity }] },
  };
}
const elsewhere = {
  ...inside(waiting(9, 7)),
  inside: [someInside({ productionProcessId: THERE.productionProcessId, quantity: 7 })],
  standing: { ...aLine().standing, kind: "inside" as const },
  offers: aLine().offers,
};

const SCRAP = { ...HERE, type: "out" as const, maxQuantity: 10 };

/** Show the station of process 2 with these lines. Returns the codes that were read, and the movements. */
async function show(
  lines: readonly Line[],
  size?: readonly [number, number],
  weighs: "no" | "required" = "no",
) {
  const now = new Map(lines.map((line) => [line.salesOrderId, line]));
  const recent = {
    press: null,
    lines: 1,
    type: "out" as const,
    by: "Ana Ruiz",
    byId: 7,
    recordId: 400,
    salesOrderId: 8,
    position: 1,
    customerSalesOrderId: "PO-8",
    itemName: "Anillo",
    itemNameEnglish: "",
    pieces: 10,
  };
  const asked = await showApp({
    at: "/shop-floor/station/2",
    permissions: [
      "Station",
      "SalesOrderPositionRecord",
      "SalesOrderPositionProcessIn",
      "SalesOrderPositionProcessOut",
    ],
    ...(size === undefined ? {} : { size }),
    answers: {
      "GET /api/station/2": () => {
        const all = [...now.values()].filter((line) => line !== elsewhere);
        return aStation({
          now: new Date().toISOString(),
          process: { ...HERE, active: true },
          queue: all.filter((line) => line.waiting.length > 0),
          inside: all.filter((line) => line.inside.length > 0),
          recent: [{ ...recent, at: new Date().toISOString() }],
        });
      },
      "POST /api/station/2/scan": ({ body }: Asked): StationScan | Refused => {
        const { code } = body as { code: string };
        const line = now.get(Number(/^(\d+)-1$/.exec(code)?.[1]));
        if (line === undefined) return new Refused(422, { code: "unknown_code", message: UNKNOWN });
        const isInside = line.offers.out.length > 0;
        return {
          line,
          direction: line === elsewhere ? "none" : isInside ? "out" : "in",
          maxIn: line.offers.in[0]?.maxQuantity ?? 0,
          maxOut: line.offers.out[0]?.maxQuantity ?? 0,
          handOver: isInside
            ? [
                { ...THERE, maxQuantity: line.quantity, usual: true },
                {
                  ...HERE,
                  productionProcessId: 4,
                  productionProcessName: "Engaste",
                  maxQuantity: 1,
                  usual: false,
                },
              ]
            : [],
          why:
            line === elsewhere
              ? { code: "not_enough_pieces", message: "Quedan 0", params: {} }
              : null,
        };
      },
      ...Object.fromEntries(
        lines.map((line) => [
          `PUT /api/sales-order/${line.salesOrderId}/position/1/production-process/in`,
          () => {
            now.set(line.salesOrderId, inside(line));
            return inside(line);
          },
        ]),
      ),
      "GET /api/production-processes": PLANT.map((each) => ({ ...each, weighs })),
      "GET /api/scrap-reasons": [
        {
          id: 1,
          version: 1,
          key: "porosity",
          nameSpanish: "Porosidad",
          nameEnglish: "Porosity",
          active: true,
        },
      ],
      ...Object.fromEntries(
        lines.map((line) => [
          `POST /api/sales-order/${line.salesOrderId}/position/1/scrap`,
          () => line,
        ]),
      ),
      "POST /api/station/operator": new Refused(400, { code: "wrong_pin", message: "No es" }),
    },
  });
  await expect.element(page.getByRole("heading", { level: 1, name: "Vaciado" })).toBeVisible();
  const moved = () =>
    asked.flatMap(({ method, path }) => (method === "PUT" ? [path.split("/")[3]] : []));
  const pins = () =>
    asked.flatMap(({ path, body }) =>
      path === "/api/station/operator" ? [(body as { pin: string }).pin] : [],
    );
  const scrapped = () =>
    asked.flatMap(({ path, body }) =>
      path.endsWith("/scrap") ? [(body as { quantity: number }).quantity] : [],
    );
  return { moved, pins, scrapped };
}

const button = (name: string | RegExp) => page.getByRole("button", { name });
const dialog = page.getByRole("dialog");

/** Type so slowly that it looks like a person typing. */
async function slowly(text: string, end = "{Enter}") {
  for (const key of [...text].map((each) => each.replace(/[[{]/, "$&$&"))) {
    // oxlint-disable no-await-in-loop -- one key after the other
    await userEvent.keyboard(key);
    await new Promise((resolve) => setTimeout(resolve, 120));
    // oxlint-enable no-await-in-loop
  }
  await userEvent.keyboard(end);
}

it("moves nothing by a slow or incomplete scan, and once by repeated taps", async () => {
  // The list fills the screen, so that a card lies under the button that moves pieces.
  const others = Array.from({ length: 20 }, (_, place) => waiting(20 + place, 4));
  const { moved, pins } = await show([waiting(1, 6), waiting(2, 7), ...others], [800, 1280]);
  await slowly("1-1");
  await expect.element(button("Meter 6 a Vaciado")).toHaveFocus();
  await slowly("0");
  await expect.element(page.getByRole("alert")).toMatchTextContent("Se leyó «0»");
  await expect.element(dialog).not.toBeInTheDocument();
  await slowly("1-1");
  await slowly("12", " ");
  await userEvent.keyboard("{Tab}");
  await slowly("2-1");
  await expect.element(button("Meter 7 a Vaciado")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  expect(moved()).toEqual([]);

  await scan("1-1");
  await expect.element(button("Meter 6 a Vaciado")).toHaveFocus();
  const press = button("Meter 6 a Vaciado").element().getBoundingClientRect();
  const under = [...document.querySelectorAll(".ob-station__lists li")]
    .map((card) => card.getBoundingClientRect())
    .map(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }))
    .find(({ x, y }) => x > press.left && x < press.right && y > press.top && y < press.bottom)!;
  const position = { x: under.x - press.left, y: under.y - press.top };
  await button("Meter 6 a Vaciado").click({ clickCount: 4, delay: 30, position });
  await expect.element(page.getByText("Metió 6 a Vaciado")).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(moved).toEqual(["1"]);

  // A PIN is typed on a keyboard, and a sheet that is scanned then opens no line.
  await button(/^Trabaja /).click();
  await expect.element(dialog.getByRole("group", { name: "PIN" })).toHaveFocus();
  await scan("2-1");
  await expect.element(dialog.getByRole("alert")).toMatchTextContent("Primero diga quién trabaja");
  expect(dialog.elements()).toHaveLength(1);
  await slowly("000000", "{Shift}");
  await expect.poll(pins).toEqual(["000000"]);
  await userEvent.keyboard("{Escape}");
  await expect.element(button(/^Trabaja /)).toHaveFocus();
  await button("Escanear").click();
  await expect.element(page.getByRole("textbox", { name: "Código" })).toHaveFocus();
  await scan("2-1");
  await expect.element(button("Meter 7 a Vaciado")).toHaveFocus();
  expect(dialog.elements()).toHaveLength(1);
});

it("is worked by keyboard alone, and keeps the focus", async () => {
  const { moved } = await show([waiting(1, 5)]);
  const card = page.getByRole("region", { name: "Listas" }).getByRole("button", { name: "PO-1" });
  await expect.element(card).toBeVisible();
  (card.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(button("Meter 5 a Vaciado")).toHaveFocus();
  for (let turn = 0; turn < 24; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await userEvent.keyboard("{Tab}");
    expect(document.activeElement?.closest("#root") ?? null).toBeNull();
  }
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(card).toHaveFocus();
  // A key that comes too soon after the last change is taken for the same press.
  await expect
    .poll(
      async () => {
        await userEvent.keyboard("{Enter}");
        return dialog.elements().length;
      },
      { interval: 800 },
    )
    .toBe(1);
  await expect
    .poll(
      async () => {
        await userEvent.keyboard("{Enter}");
        return dialog.elements().length;
      },
      { interval: 800 },
    )
    .toBe(0);
  await expect.poll(moved).toEqual(["1"]);
  await expect.poll(() => document.activeElement?.tagName).not.toBe("BODY");
});

it("shows on a tablet how a line is made, and what a scan that opens nothing has read", async () => {
  const made = { ...inside(waiting(3, 10)), notes: "Grabar iniciales", measures: "Talla 7" };
  const { moved } = await show([waiting(1, 6), made, elsewhere], [800, 1280]);
  const last = page.getByRole("complementary", { name: "Su último movimiento" });
  await expect.element(last).toMatchTextContent("PO-8");
  await expect.element(last.getByRole("button", { name: "Deshacer" })).toBeInViewport({ ratio: 1 });

  await scan("3-1");
  const over = page.getByRole("button", { name: /y meter a/ });
  await expect.element(over).toMatchTextContent("Sacar 10 de Vaciado y meter a Lijado");
  const press = dialog.getByRole("button", { name: "Sacar 10 de Vaciado", exact: true });
  const topOf = (what: typeof press) => what.element().getBoundingClientRect().top;
  expect(topOf(dialog.getByText("Grabar iniciales"))).toBeLessThan(topOf(press));
  await expect.element(dialog.getByText("Talla 7")).toBeVisible();
  await expectGood("an opened line");
  await page.viewport(1280, 800);
  await expect.element(press).toBeInViewport({ ratio: 1 });
  await page.viewport(800, 1280);

  await scan("1-1");
  await expect.element(button("Meter 6 a Vaciado")).toHaveFocus();
  // The picture takes the room that the rest leaves.
  const height = () =>
    document.querySelector("img.ob-opened__picture")!.getBoundingClientRect().height;
  await expect.poll(height).toBeGreaterThan(280);
  await page.viewport(1280, 800);
  await expect.poll(height).toBeGreaterThan(400);
  await page.viewport(800, 1280);
  await scan("7501055300075");
  await expect.element(page.getByRole("alert")).toMatchTextContent("Se leyó «7501055300075»");
  await expect.element(dialog).not.toBeInTheDocument();

  await scan("9-1", "Tab");
  await expect.element(dialog.getByRole("alert")).toMatchTextContent("7 en Lijado");
  await expect.element(button(/^Meter|^Sacar/)).not.toBeInTheDocument();
  await button("Volver").click();

  // A scan while something else is open opens no line behind it.
  await button(/^Menú de /).click();
  await page.getByRole("menuitem", { name: "Ayuda de esta página" }).click();
  await expect.element(dialog).toBeVisible();
  await scan("1-1");
  await expect.element(page.getByText(/^Hay una ventana abierta/)).toBeVisible();
  expect(document.querySelector(".ob-opened")).toBeNull();
  expect(moved()).toEqual([]);
});

/** The visible buttons of the page that are too low for a glove. */
const lowButtons = () =>
  [...document.querySelectorAll<HTMLElement>("button, summary, .ant-segmented-item-label")]
    .filter(
      (each) => each.checkVisibility() && each.closest(".ob-navbar, .ob-skip, .ob-toast") === null,
    )
    .filter((each) => each.getBoundingClientRect().height < 56)
    .map((each) => `${each.className} ${each.textContent}`);

it("has buttons for gloves on all of its screens, and a main one that is twice as high", async () => {
  const made = {
    ...inside({ ...waiting(3, 10), image: null }),
    weighed: true,
    productionProcesses: [{ ...aRecord(), gramsIn: 124.8241 }],
    actions: { ...aLine().actions, scrap: [SCRAP] },
  };
  const { moved } = await show([waiting(1, 6), made], [800, 1280], "required");
  await expect.element(page.getByRole("region", { name: "Listas" })).toBeVisible();
  expect(lowButtons()).toEqual([]);

  await scan("3-1");
  const press = dialog.getByRole("button", { name: "Sacar 10 de Vaciado", exact: true });
  await expect.element(press).toBeVisible();
  await expect.element(dialog.getByText("Entraron: 124.824 g")).toBeVisible();
  expect(press.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(110);
  // Without a picture nothing stands in its place.
  expect(document.querySelector(".ob-opened__picture")).toBeNull();
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  await dialog.getByRole("button", { name: "Dar de baja una parte" }).click();
  expect(lowButtons()).toEqual([]);
  await button("Volver").click();

  await button(/^Trabaja /).click();
  await expect.element(dialog.getByRole("group", { name: "PIN" })).toHaveFocus();
  expect(lowButtons()).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await button("Escanear").click();
  await expect.element(page.getByRole("textbox", { name: "Código" })).toHaveFocus();
  expect(lowButtons()).toEqual([]);
  expect(moved()).toEqual([]);
});

it("asks once before all pieces of a lot are scrapped, and not for a part of them", async () => {
  const lot = inside(waiting(3, 10));
  const { scrapped } = await show(
    [{ ...lot, actions: { ...lot.actions, scrap: [SCRAP] } }],
    [800, 1280],
  );
  await scan("3-1");
  await dialog.getByText("Dar de baja", { exact: true }).click();
  await dialog.getByRole("button", { name: "Todas" }).click();
  await expect.element(dialog.getByText("quedan dadas de baja")).toBeVisible();
  await dialog.getByRole("button", { name: "Porosidad" }).click();
  const question = page.getByRole("dialog", { name: "¿Dar de baja todas, las 10?" });
  await question.getByRole("button", { name: "No, conservar" }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(scrapped()).toEqual([]);
  await dialog.getByRole("button", { name: "3", exact: true }).click();
  await dialog.getByRole("button", { name: "Porosidad" }).click();
  await expect.poll(scrapped).toEqual([3]);
});
