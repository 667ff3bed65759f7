import { fireEvent, screen, within } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Permission } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { Refused, showPage, SOON, type Asked } from "@/testing/pages";
import { differenceOf } from "./DayForm";
import DayPage from "./DayPage";
import type { ClosedDay, ExpectedDay } from "./metal.api";

beforeAll(() => startI18n());
beforeEach(() => sessionStorage.clear());

const STERLING = {
  alloyId: 3,
  alloyName: "Plata ley 925",
  expectedGrams: 120.5,
  receivedGrams: 150,
};
const EXPECTED: ExpectedDay = {
  userId: 8,
  userName: "Luis Vega",
  productionProcessId: 2,
  productionProcessName: "Limado",
  day: "2026-03-14",
  recovers: true,
  allowedLoss: 12,
  reopened: false,
  alloys: [STERLING],
  closings: [],
};
const CLOSED: ClosedDay = {
  id: 31,
  slipNumber: 31,
  userId: 8,
  userName: "Luis Vega",
  productionProcessId: 2,
  productionProcessName: "Limado",
  day: "2026-03-14",
  number: 1,
  closedAt: "2026-03-14T23:30:00Z",
  closedById: 5,
  closedBy: "Ana Ruiz",
  reopened: false,
  reopenedAt: null,
  reopenedBy: null,
  recovers: true,
  allowedLoss: 12,
  notes: "",
  reason: "",
  alloys: [
    {
      ...STERLING,
      countedGrams: 118,
      dustGrams: 1.2,
      differenceGrams: 1.3,
      lossGrams: 2.5,
      fineLossGrams: 2.313,
      lossPerMille: 16.7,
    },
  ],
};
const AT = "/operations/metal/day?userId=8&productionProcessId=2&day=2026-03-14";
const EXPECTED_DAY = "GET /api/metal/days/expected";
const CLOSE = "POST /api/metal/days";
const BADGE = `B1${"A".repeat(26)}`;

function show(answers: Record<string, unknown>, permissions: Permission[] = ["CloseMetalDay"]) {
  return showPage(<DayPage />, {
    at: AT,
    permissions,
    answers: { [EXPECTED_DAY]: EXPECTED, ...answers },
  });
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Cerrar el día de/ });
const sent = (asked: Asked[]) => asked.find(({ method, path }) => `${method} ${path}` === CLOSE);

/** Type as a scanner does: quickly, and Enter at the end. */
function scan(code: string) {
  for (const key of [...code, "Enter"]) fireEvent.keyDown(document.body, { key });
}

describe("the difference", () => {
  const of = (counted: number | string | null, dust: number | string | null = null) =>
    differenceOf(STERLING, { counted, dust });

  it("is what is expected less what was counted and swept, to the milligram", () => {
    expect(of(118, 1.2)).toMatchObject({ grams: 1.3, perMille: 16.7 });
    expect(of(120.5)).toMatchObject({ grams: 0, perMille: 0 });
    expect(of(121)).toMatchObject({ grams: -0.5, perMille: -3.3 });
    expect(of(0)).toMatchObject({ grams: 120.5, perMille: 803.3 });
  });

  it("is unknown while the count or the dust is no weight", () => {
    expect(of(null)).toBeNull();
    expect(of("12x")).toBeNull();
    expect(of(118, "1,2,3")).toBeNull();
  });

  it("has no share if nothing was received", () => {
    const alloy = { ...STERLING, receivedGrams: 0 };
    expect(differenceOf(alloy, { counted: 120, dust: null })).toMatchObject({
      grams: 0.5,
      perMille: null,
    });
  });
});

it("closes the day with the person's PIN, after it says what is missing and where it goes", async () => {
  const { asked } = show({ [CLOSE]: CLOSED });
  await screen.findByRole("group", { name: "Plata ley 925" });
  expect(asked.find(({ path }) => path === "/api/metal/days/expected")?.query).toEqual({
    userId: "8",
    productionProcessId: "2",
    day: "2026-03-14",
  });
  expect(screen.getByText("120.5 g")).toBeDefined();
  expect(screen.getByText("Pese el metal para ver la diferencia.")).toBeDefined();
  type("Contado", "118");
  type("Limadura barrida", "1.2");
  const difference = screen.getByText("Faltan 1.3 g").parentElement!;
  expect(difference.textContent).toContain("Merma 1.67 % · permitida 1.2 %");
  expect(difference.textContent).toContain("limadura por recuperar");
  expect(difference.className).toBe("ob-doubtful");
  expect(button().disabled).toBe(true);
  type("PIN de Luis Vega", "824613");
  expect(button().disabled).toBe(false);
  fireEvent.click(button());
  await vi.waitFor(() => expect(sent(asked)).toBeDefined(), SOON);
  expect(sent(asked)?.body).toEqual({
    userId: 8,
    productionProcessId: 2,
    day: "2026-03-14",
    alloys: [{ alloyId: 3, countedGrams: 118, dustGrams: 1.2, expectedGrams: 120.5 }],
    notes: "",
    pin: "824613",
  });
});

describe("a count far from the books", () => {
  const far = {
    userId: 8,
    alloyId: 3,
    alloy: "Plata ley 925",
    expected: 120.5,
    counted: 500000,
    dust: 0,
    difference: -499879.5,
    allowed: 1.8,
  };
  const asks = new Refused(409, {
    code: "expected_far",
    message: "Lejos",
    params: { ...far, counts: [far] },
  });
  const answered = (asked: Asked[]) =>
    asked.filter(({ method, path }) => `${method} ${path}` === CLOSE);

  async function closeFar() {
    const { asked } = show({ [CLOSE]: asks });
    await screen.findByLabelText("Contado");
    type("Contado", "500000 g");
    type("PIN de Luis Vega", "824613");
    fireEvent.click(button());
    return { asked, note: await screen.findByRole("alert") };
  }

  it("is repeated, and closes with a reason by a second press", async () => {
    const { asked, note } = await closeFar();
    expect(note.textContent).toContain("se pesaron 500,000 g de metal");
    expect(note.textContent).toContain("Sobran 499,879.5 g");
    const again = await screen.findByRole<HTMLButtonElement>("button", {
      name: /Cerrar de todos modos/,
    });
    expect(again.disabled).toBe(true);
    type("Por qué es correcto", "Trajo metal suyo");
    expect(again.disabled).toBe(false);
    fireEvent.click(again);
    await vi.waitFor(() => expect(answered(asked)).toHaveLength(2), SOON);
    expect(answered(asked)[0]?.body).not.toHaveProperty("confirm");
    expect(answered(asked)[1]?.body).toMatchObject({
      pin: "824613",
      confirm: true,
      reason: "Trajo metal suyo",
    });
  });

  it("is no longer confirmed once a weight changes", async () => {
    const { asked } = await closeFar();
    type("Contado", "50");
    expect(screen.queryByLabelText("Por qué es correcto")).toBeNull();
    fireEvent.click(await screen.findByRole("button", { name: /Cerrar el día de/ }));
    await vi.waitFor(() => expect(answered(asked)).toHaveLength(2), SOON);
    expect(answered(asked)[1]?.body).not.toHaveProperty("confirm");
  });
});

it("keeps what was counted if the PIN is wrong, and forgets the PIN", async () => {
  const message = "PIN o gafete desconocido";
  show({ [CLOSE]: new Refused(422, { code: "unknown_operator", message }) });
  await screen.findByLabelText("Contado");
  type("Contado", "118");
  type("PIN de Luis Vega", "111222");
  fireEvent.click(button());
  expect((await screen.findByRole("alert")).textContent).toBe(message);
  expect(screen.getByLabelText<HTMLInputElement>("PIN de Luis Vega").value).toBe("");
  expect(screen.getByLabelText<HTMLInputElement>("Contado").value).toBe("118");
});

it("takes a scanned badge as the signature", async () => {
  const { asked } = show({ [CLOSE]: CLOSED });
  await screen.findByLabelText("Contado");
  type("Contado", "118");
  scan(BADGE);
  expect(await screen.findByText("Firmado con gafete")).toBeDefined();
  fireEvent.click(button());
  await vi.waitFor(() => expect(sent(asked)?.body).toMatchObject({ badge: BADGE }), SOON);
  expect(sent(asked)?.body).not.toHaveProperty("pin");
});

it("chooses the person by their badge at a chosen process", async () => {
  const { asked } = showPage(<DayPage />, {
    at: "/operations/metal/day?productionProcessId=2&day=2026-03-14",
    permissions: ["CloseMetalDay", "ViewMetal", "Station"],
    answers: {
      [EXPECTED_DAY]: EXPECTED,
      "POST /api/station/operator": { token: "x", user: { id: 8, fullName: "Luis Vega" } },
    },
  });
  await screen.findByText("Ningún cierre del 2026-03-14");
  scan(BADGE);
  await screen.findByLabelText("Contado");
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    badge: BADGE,
    productionProcessId: 2,
  });
  expect(screen.getByText("Firmado con gafete")).toBeDefined();
});

it("lists whose day is open, and opens the count of the chosen one", async () => {
  const open = {
    userId: 8,
    userName: "Luis Vega",
    productionProcessId: 2,
    productionProcessName: "Limado",
    closedDay: "2026-03-12",
    closedAt: "2026-03-12T23:00:00Z",
    balances: [{ alloyId: 3, alloyName: "Plata ley 925", grams: 120.5, fineGrams: 111.463 }],
  };
  showPage(<DayPage />, {
    at: "/operations/metal/day?day=2026-03-14",
    permissions: ["CloseMetalDay", "ViewMetal"],
    answers: { [EXPECTED_DAY]: EXPECTED, "GET /api/metal/days/open": [open] },
  });
  const people = await screen.findByRole("region", { name: "Días por cerrar" });
  expect(people.textContent).toContain("Luis Vega · LimadoÚltimo cierre: 2026-03-12");
  expect(people.textContent).toContain("120.5 g");
  fireEvent.click(within(people).getByRole("button", { name: "Contar lo de Luis Vega" }));
  expect(await screen.findByLabelText("Contado")).toBeDefined();
});

it("takes an empty bench, and lets who manages metal close without the person", async () => {
  const { asked } = show({ [CLOSE]: CLOSED }, ["CloseMetalDay", "ManageMetal"]);
  await screen.findByLabelText("Contado");
  type("Contado", "0");
  fireEvent.click(button());
  fireEvent.click(await screen.findByRole("button", { name: "No, que firme" }));
  fireEvent.click(button());
  fireEvent.click(await screen.findByRole("button", { name: "Sí, cerrar sin firma" }));
  await vi.waitFor(() => expect(sent(asked)).toBeDefined(), SOON);
  expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  expect(sent(asked)?.body).toMatchObject({
    alloys: [{ alloyId: 3, countedGrams: 0, dustGrams: 0 }],
  });
});

it("sends nothing before everything is weighed", async () => {
  const { asked } = show({}, ["CloseMetalDay", "ManageMetal"]);
  await screen.findByLabelText("Contado");
  fireEvent.click(button());
  expect(await screen.findByRole("alert")).toBeDefined();
  expect(sent(asked)).toBeUndefined();
});

describe("a closed day", () => {
  const counted = { ...EXPECTED, alloys: [{ ...STERLING, expectedGrams: 118 }] };

  it("has its slip, and is not counted again before something moves", async () => {
    show({ [EXPECTED_DAY]: { ...counted, closings: [CLOSED] } });
    const closing = await screen.findByRole("region", { name: "Cierre 31" });
    expect(closing.textContent).toContain("Plata ley 925Faltan1.3 glimadura 1.2 g");
    expect(within(closing).getByRole("button", { name: "Ver comprobante" })).toBeDefined();
    expect(screen.getByText(/está cerrado/)).toBeDefined();
    expect(screen.queryByLabelText("Contado")).toBeNull();
  });

  it("is counted again if a movement arrived later", async () => {
    const closings = [{ ...CLOSED, reopened: true }];
    show({ [EXPECTED_DAY]: { ...EXPECTED, closings, reopened: true } });
    await screen.findByLabelText("Contado");
    expect(screen.getByText("Reabierto")).toBeDefined();
    expect(screen.getByText(/^Llegó tarde un movimiento/)).toBeDefined();
  });

  it("is taken back by who manages metal, and then counted again", async () => {
    const { asked } = show(
      {
        [EXPECTED_DAY]: { ...counted, closings: [CLOSED] },
        "POST /api/metal/days/31/reopen": { ...CLOSED, reopened: true },
      },
      ["CloseMetalDay", "ManageMetal"],
    );
    fireEvent.click(await screen.findByRole("button", { name: "Reabrir" }));
    expect(await screen.findByText("¿Reabrir el cierre 31?")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Sí, reabrir" }));
    await vi.waitFor(
      () => expect(asked.some(({ path }) => path === "/api/metal/days/31/reopen")).toBe(true),
      SOON,
    );
  });

  it("is counted again after it was taken back, which says who did it", async () => {
    const back = { reopened: true, reopenedAt: "2026-03-15T14:00:00Z", reopenedBy: "Eva Soto" };
    show({ [EXPECTED_DAY]: { ...counted, closings: [{ ...CLOSED, ...back }] } }, [
      "CloseMetalDay",
      "ManageMetal",
    ]);
    await screen.findByLabelText("Contado");
    expect(screen.getByRole("region", { name: "Cierre 31" }).textContent).toContain("Eva Soto");
    expect(screen.queryByRole("button", { name: "Reabrir" })).toBeNull();
    expect(screen.queryByText(/^Llegó tarde un movimiento/)).toBeNull();
  });

  it("of somebody else is not taken back by who may only close", async () => {
    show({ [EXPECTED_DAY]: { ...counted, closings: [CLOSED] } });
    await screen.findByRole("region", { name: "Cierre 31" });
    expect(screen.queryByRole("button", { name: "Reabrir" })).toBeNull();
  });

  it("stands in the list of its day", async () => {
    const { asked } = showPage(<DayPage />, {
      at: "/operations/metal/day?day=2026-03-14",
      permissions: ["CloseMetalDay", "ViewMetal"],
      answers: { "GET /api/metal/days": [CLOSED] },
    });
    const row = (await screen.findByText("Luis Vega")).closest("tr")!;
    expect(row.textContent).toContain("Limado");
    expect(asked.find(({ path }) => path === "/api/metal/days")?.query).toMatchObject({
      from: "2026-03-14",
      to: "2026-03-14",
    });
  });
});
