/** Write the palette as custom properties. `import "virtual:palette.css"` puts them into the first style sheet. */
import type { Plugin } from "vite";
import { COLORS, CORNERS, FIXED, SIZES, SPACES } from "../src/shared/theme/palette.ts";

const NAME = "virtual:palette.css";

/** `onPrimary` is `--ob-on-primary`. */
const property = (name: string, value: string) =>
  `--ob-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`;
const properties = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => property(name, value));
const pixels = (values: Record<string, number>, prefix = "") =>
  Object.entries(values).map(([name, value]) => property(prefix + name, `${value}px`));

/** The style sheet. The dark theme follows `data-theme`, which `look.ts` sets before the first page is drawn. */
export function paletteSheet(): string {
  const spaces = Object.fromEntries(SPACES.map((value, place) => [`space-${place + 1}`, value]));
  const always = [
    "color-scheme: light;",
    ...properties(COLORS.light),
    ...properties(FIXED),
    ...pixels(spaces),
    ...pixels(SIZES, "size-"),
    ...pixels(CORNERS),
  ];
  const atNight = ["color-scheme: dark;", ...properties(COLORS.dark)];
  return `:root{${always.join("")}}\n:root[data-theme="dark"]{${atNight.join("")}}\n`;
}

export function palette(): Plugin {
  return {
    name: "palette",
    resolveId: (id) => (id === NAME ? NAME : null),
    load: (id) => (id === NAME ? paletteSheet() : null),
  };
}
