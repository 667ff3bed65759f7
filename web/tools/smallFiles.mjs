/** Fails on a small file that only one other file imports: it belongs into that one. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const SMALL = 40;
const LARGEST = 300;
const src = fileURLToPath(new URL("../src/", import.meta.url));
const names = readdirSync(src, { recursive: true }).filter((name) => /\.tsx?$/.test(name));
const texts = new Map(names.map((name) => [name, readFileSync(join(src, name), "utf8")]));
const linesOf = (name) => texts.get(name).split("\n").length - 1;
/** Tests and their cast use what they test; declarations are used by all. */
const isExempt = (name) => /\.(test|d)\.tsx?$|^(testing|contract)\//.test(name);

function fileOf(specifier, importer) {
  const path = specifier.startsWith("@/")
    ? specifier.slice(2)
    : posix.join(dirname(importer), specifier);
  return [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((name) => texts.has(name));
}

const importers = new Map(names.map((name) => [name, new Set()]));
/** What is loaded by `import()` is a chunk of its own, however small. */
const chunks = new Set();
for (const [importer, text] of texts) {
  if (isExempt(importer)) continue;
  for (const [, specifier] of text.matchAll(/\bfrom "([@.][^"]*)"/g)) {
    importers.get(fileOf(specifier, importer))?.add(importer);
  }
  for (const [, specifier] of text.matchAll(/\bimport\("([@.][^"]*)"\)/g)) {
    chunks.add(fileOf(specifier, importer));
  }
}

for (const [name, by] of importers) {
  const lines = linesOf(name);
  const [only] = by;
  if (isExempt(name) || chunks.has(name) || lines >= SMALL || by.size !== 1) continue;
  if (linesOf(only) + lines > LARGEST) continue;
  process.stderr.write(
    `src/${name} has ${lines} lines and only src/${only} imports it: put it there.\n`,
  );
  process.exitCode = 1;
}
