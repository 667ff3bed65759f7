import i18next, { type TFunction } from "i18next";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import en from "@/locales/en/notifications.json";
import es from "@/locales/es/notifications.json";
import { aNotification } from "@/testing/builders";
import type { OwnNotice } from "./notifications.api";
import { ownTextOf, ownTitleOf, placeOf, standingOf, titleOf } from "./titles";

const inside = (insideSince: string) =>
  aNotification({ productionProcessId: 5, productionProcessName: "Engaste", insideSince });
const due = (deliveryDate: string) => aNotification({ deliveryDate });

// 21:00 of the 14th at the plant, which is the 15th in UTC.
beforeEach(async () => {
  await startI18n();
  i18next.addResourceBundle("es", "notifications", es);
  i18next.addResourceBundle("en", "notifications", en);
  vi.useFakeTimers({ now: Date.parse("2026-03-15T03:00:00Z") });
  return () => vi.useRealTimers();
});

const words = (language: string) =>
  i18next.getFixedT(language, "notifications") as TFunction<"notifications">;

it.each([
  [due("2026-03-16"), "Orden por vencer día de entrega", "Order close to its delivery date"],
  [due("2026-03-14"), "Orden por vencer día de entrega", "Order close to its delivery date"],
  [due("2026-03-11"), "Orden por vencer día de entrega", "Order close to its delivery date"],
  [inside("2026-03-12T15:00:00Z"), "Orden sin proceso de salida", "Order without an exit process"],
  [
    aNotification({ deliveryDate: "2026-03-16" }, { type: "likelyLate" }),
    "Orden por vencer día de entrega",
    "Order close to its delivery date",
  ],
])("has the title of its type: %#", (notification, ...titles) => {
  expect(["es", "en"].map((language) => titleOf(notification, words(language)))).toEqual(titles);
});

it.each([
  ["approved", "El cliente aprobó", "The customer approved"],
  ["change", "El cliente pide un cambio", "The customer asks for a change"],
  ["comment", "Comentario del cliente", "Customer's comment"],
  ["again", "El cliente quiere pedirla otra vez", "The customer wants to order it again"],
])("says what a customer answered, and nothing of the text: %s", (answer, ...titles) => {
  const notification = aNotification({ answer }, { type: "customerAnswer" });
  expect(["es", "en"].map((language) => titleOf(notification, words(language)))).toEqual(titles);
  expect(standingOf(notification, words("es"))).toBe(
    "Lo que escribió está en la página de la orden",
  );
});

it("says in the second line that a line is likely late", () => {
  const message = { deliveryDate: "2026-03-16" };
  const [likely, expiring] = [
    aNotification(message, { type: "likelyLate" }),
    aNotification(message),
  ];
  expect(placeOf(likely, words("es"))).toBe(`${placeOf(expiring, words("es"))} · Probable retraso`);
});

describe("the status text", () => {
  it.each([
    [due("2026-03-11"), "Venció hace 3 días", "Was due 3 days ago"],
    [due("2026-03-13"), "Venció hace 1 día", "Was due 1 day ago"],
    [due("2026-03-14"), "Vence hoy", "Due today"],
    [due("2026-03-15"), "Vence en 1 día", "Due in 1 day"],
    [due("2026-03-16"), "Vence en 2 días", "Due in 2 days"],
    [inside("2026-03-12T15:00:00Z"), "En Engaste desde hace 2 días", "In Engaste for 2 days"],
    [inside("2026-03-14T15:00:00Z"), "En Engaste desde hoy", "In Engaste since today"],
  ])("%#", (notification, ...said) => {
    expect(["es", "en"].map((language) => standingOf(notification, words(language)))).toEqual(said);
  });
});

describe("the bell", () => {
  const own = (about: OwnNotice["about"], params: OwnNotice["params"]): OwnNotice => ({
    id: 1,
    about,
    params,
    path: "/home",
    createdAt: "2026-03-14T15:00:00Z",
  });

  it.each([
    [own("importDone", { state: "applied" }), "Import", "It is done: its rows are in the list."],
    [own("importDone", { state: "failed" }), "Import", "It could not be finished."],
    [own("importDone", { state: "new" }), "Import", "It could not be finished."],
    [
      own("assigned", { productionProcessName: "Pulido", count: 1 }),
      "Pieces for Pulido",
      "1 line waits",
    ],
    [
      own("assigned", { productionProcessName: "Pulido", count: 3 }),
      "Pieces for Pulido",
      "3 lines wait",
    ],
  ])("says what a notice of this person is about: %#", (notice, title, text) => {
    expect(ownTitleOf(notice, words("en"))).toBe(title);
    expect(ownTextOf(notice, words("en"))).toBe(text);
  });
});
