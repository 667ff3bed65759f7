// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { paletteSheet } from "../../../tools/palette";
import { WIDTHS } from "./palette";

test("a class is styled in one file only, because style sheets stay loaded after their page", () => {
  const places = new Map<string, Set<string>>();
  for (const file of globSync("src/**/*.css")) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/^\.(ob-[\w-]+) \{/gm)) {
      places.set(name, new Set([...(places.get(name) ?? []), file]));
    }
  }
  expect(places.size).toBeGreaterThan(100);
  expect([...places].filter(([, at]) => at.size > 1).map(([name]) => name)).toEqual([]);
});

/** Names of the palette's custom properties, and sums of them. */
const OF_PALETTE =
  /calc\((?:-1 \* )?var\(--ob-[\w-]+\)(?: [+*] (?:var\(--ob-[\w-]+\)|\d+))?\)|var\(--ob-[\w-]+\)/g;
/** The board on a wall, and the screen that waits to become one: their sizes are shares of the screen. */
const OF_A_WALL = /^src\/features\/shop-floor\//;
const SHARE = /\d(?:vmin|vw|cqi|em)\b|--[hu]\b/;

/** Every declaration of every sheet: its file, property and value. */
const declarations = globSync("src/**/*.css").flatMap((file) => {
  const sheet = readFileSync(file, "utf8").replaceAll(
    /\/\*[^]*?\*\/|@(?:font-face|page) \{[^}]*\}/g,
    "",
  );
  return [...sheet.matchAll(/([\w-]+):\s+([^;{}]+);/g)].map(([, property = "", value = ""]) => ({
    file,
    property,
    value: value.replaceAll(/\s+/g, " "),
  }));
});
const written = ({ file, property, value }: (typeof declarations)[number]) =>
  `${file} ${property}: ${value}`;

/** The declarations of these properties that hold more than the palette's names and these words. */
const beside = (properties: RegExp, words: RegExp) =>
  declarations
    .filter(({ property }) => properties.test(property))
    .filter(({ file, value }) => !(OF_A_WALL.test(file) && SHARE.test(value)))
    .filter(({ value }) => value.replaceAll(OF_PALETTE, "").replaceAll(words, "").trim() !== "")
    .map(written);

test("spaces are the palette's", () => {
  const spaces = /^(?:(?:row|column)-)?gap$|^(?:padding|margin)(?:-[\w-]+)?$/;
  expect(beside(spaces, /\b(?:0|auto)\b|!important/g)).toEqual([]);
});

test("type sizes are the palette's, and a large one may grow with the window up to the next", () => {
  expect(beside(/^font-size$/, /\binherit\b|\bclamp\(, [\d.]+vw, \)/g)).toEqual([]);
  expect(
    declarations.filter(({ property, value }) => property === "font" && value !== "inherit"),
  ).toEqual([]);
});

test("corners are the palette's", () => {
  expect(beside(/^border-.*radius$/, /\b(?:0|inherit)\b/g)).toEqual([]);
});

test("colours are the palette's", () => {
  const literal = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i;
  expect(declarations.filter(({ value }) => literal.test(value)).map(written)).toEqual([]);
});

test("layouts change at the palette's three widths", () => {
  const asked = globSync("src/**/*.css").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/@(?:media|container)[^{]*/g)].flatMap(([rule]) =>
      [...rule.matchAll(/([\d.]+)(?:px|r?em)/g)].map(([, width]) => Number(width)),
    ),
  );
  expect(asked.length).toBeGreaterThan(10);
  expect(new Set(asked)).toEqual(new Set(Object.values(WIDTHS)));
});

test("a name of the palette in a style sheet is one that the palette has", () => {
  const given = new Set(paletteSheet().match(/--ob-[\w-]+/g));
  const own = new Set(
    declarations.flatMap(({ property }) => (property.startsWith("--") ? property : [])),
  );
  const used = declarations.flatMap(({ value }) => value.match(/--ob-[\w-]+/g) ?? []);
  expect(used.length).toBeGreaterThan(500);
  expect(used.filter((name) => !given.has(name) && !own.has(name))).toEqual([]);
});
