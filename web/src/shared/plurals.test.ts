import { expect, it } from "vitest";

const files = import.meta.glob<{ default: object }>("../locales/*/*.json", { eager: true });

/** Texts of a file that have no plural forms, with their keys. */
function* singleTexts(words: object, path = ""): Generator<[string, string]> {
  for (const [key, value] of Object.entries(words) as [string, object | string][]) {
    const name = `${path}.${key}`;
    if (typeof value === "object") yield* singleTexts(value, name);
    else if (!/_(one|many|other)$/.test(key)) yield [name, value];
  }
}

/** A count before a plural noun, unless it is the total in "3 of 8 lines". */
const COUNTED =
  /(?<!\b(?:de|of|hasta|to|más de|more than|Menos de|Fewer than|primeras|first) )\{\{(?:count|n|days|rows|lines|pieces|good|room|finished|total|quantity)\}\} (?:[a-záéíóúñ]+ )?[a-záéíóúñ]{2,}s\b/;

/** Counts that are never 1. */
const MANY = [
  /orders\.action\.undoLines$/,
  /orders\.undo\.lines$/,
  /orders\.lines\.billOneCustomer$/,
  /orders\.sheet\.tooMany$/,
  /shopFloor\.timesUsual$/,
];

it("gives each count before a noun its plural forms", () => {
  const wrong = Object.entries(files).flatMap(([path, { default: words }]) =>
    [...singleTexts(words, path.replace("../locales/", "").replace(".json", ""))]
      .filter(([name, text]) => COUNTED.test(text) && !MANY.some((many) => many.test(name)))
      .map(([name, text]) => `${name}: ${text}`),
  );
  expect(wrong).toEqual([]);
});

it("calls an order «orden» to staff; «pedido» is the customers' word", () => {
  const OF_CUSTOMERS =
    /^es\/(customerPage|guide|catalogs)\.|^es\/home\.|^es\/orders\.share\.(subject|message)/;
  const wrong = Object.entries(files).flatMap(([path, { default: words }]) =>
    [...singleTexts(words, path.replace("../locales/", "").replace(".json", ""))]
      .filter(
        ([name, text]) =>
          name.startsWith("es/") && !OF_CUSTOMERS.test(name) && /\bpedidos?\b/i.test(text),
      )
      .map(([name, text]) => `${name}: ${text}`),
  );
  expect(wrong).toEqual([]);
});
