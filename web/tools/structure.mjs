/**
 * Fail on imports from a higher layer, a higher room of `shared` or another feature, on styles that no code names, on grid columns that grow with
 * their content, and on Ant Design's list fields outside the shared ones.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** Each layer imports only itself and the layers before it. */
const LAYERS = ["contract", "locales", "shared", "entities", "live", "features", "app"];
/** The rooms of `shared`: each imports only itself and the rooms before it. */
const ROOMS = [
  "keysOf bases external version stored network language selection theme format session i18n",
  "recent http catalogPaths hooks keyboard ui picture form list",
].flatMap((names) => names.split(" "));
/** Ant Design's fields that open a list, and the file that wraps each one with the shared keys; null: no file yet. */
const LISTS = {
  "auto-complete": null,
  cascader: null,
  "date-picker": "shared/form/DayField.tsx",
  mentions: null,
  select: "shared/form/Select.tsx",
  "time-picker": null,
  "tree-select": null,
};
const src = fileURLToPath(new URL("../src/", import.meta.url));
const names = readdirSync(src, { recursive: true }).filter((name) => /\.tsx?$/.test(name));
const texts = new Map(names.map((name) => [name, readFileSync(join(src, name), "utf8")]));
const isTest = (name) => /\.test\.tsx?$|^testing\//.test(name);
const wrong = [];

for (const [name, text] of texts) {
  for (const [, specifier] of text.matchAll(/\b(?:from |import ?\(?)"([@.][^"]*)"/g)) {
    const path = specifier.startsWith("@/")
      ? specifier.slice(2)
      : posix.join(dirname(name), specifier);
    if (!specifier.startsWith("@/") && !specifier.startsWith(".")) continue;
    if (!mayImport(name, path)) wrong.push(`src/${name} may not import ${specifier}.`);
  }
  // In Ant Design's own list fields, Tab chooses the marked option and stays in the field.
  for (const [, part] of text.matchAll(/from "antd\/es\/([\w-]+)"/g)) {
    if (!(part in LISTS) || name === LISTS[part]) continue;
    const shared = LISTS[part] ?? "a part of src/shared, in which Tab leaves the field";
    wrong.push(`src/${name} may not import antd/es/${part}: use ${shared}.`);
  }
}

function mayImport(name, path) {
  const [from, feature] = name.split("/");
  const [to, other] = path.split("/");
  // Tests may import test data, and tables that they share with the server.
  if (isTest(name) && (to === "testing" || to === "..")) return true;
  if (from === "contract" && path.startsWith("../.contract/")) return true; // the types made from the contract
  const [above, below] = [LAYERS.indexOf(from === "testing" ? "app" : from), LAYERS.indexOf(to)];
  if (from === "features" && to === "features") return feature === other;
  if (from === "shared" && to === "shared" && !isTest(name)) return place(other) <= place(feature);
  return below >= 0 && below <= above;
}

/** The place of a room of `shared`. A new room needs one. */
function place(room) {
  const found = ROOMS.indexOf(room.replace(/\.\w+$/, ""));
  if (found < 0) wrong.push(`src/shared/${room} has no place in ROOMS.`);
  return found;
}

// A style's name is written whole, or one end of it is: `ob-chip--${status}`, `${className}--none`.
const code = [...texts].flatMap(([name, text]) => (isTest(name) ? [] : [text])).join("\n");
const named = new Set(code.match(/\bob-[\w-]+/g));
const begun = [...code.matchAll(/\b(ob-[\w-]+)\$\{/g)].map(([, start]) => start);
const ended = [...code.matchAll(/\}(--\w+)/g)].map(([, end]) => end);
const isNamed = (style) =>
  named.has(style) ||
  begun.some((start) => style.startsWith(start)) ||
  ended.some((end) => style.endsWith(end) && named.has(style.slice(0, -end.length)));

/** Declarations that set a grid's columns, directly or in a variable. */
const COLUMNS = /(?<![\w-])((?:[\w-]+-)?columns|grid|grid-template)\s*:([^;{}]*)/g;
const MINMAX = /minmax\((?:[^()]|\([^()]*\))*\)/g;
const sheets = readdirSync(src, { recursive: true }).filter((name) => name.endsWith(".css"));
for (const name of sheets) {
  const sheet = readFileSync(join(src, name), "utf8").replaceAll(/\/\*[^]*?\*\//g, "");
  for (const style of new Set(sheet.match(/(?<=\.)ob-[\w-]+/g))) {
    if (!isNamed(style)) wrong.push(`src/${name} has a style .${style} that no file names.`);
  }
  // A column of 1fr grows with its content, and a long name makes it wider than a phone.
  for (const [, property, value] of sheet.matchAll(COLUMNS)) {
    if (!/\dfr\b/.test(value.replaceAll(MINMAX, ""))) continue;
    wrong.push(
      `src/${name} has ${property}:${value}, which grows with what it holds: write minmax(0, 1fr).`,
    );
  }
}

if (wrong.length > 0) {
  process.stderr.write(`${wrong.join("\n")}\n`);
  process.exitCode = 1;
}
