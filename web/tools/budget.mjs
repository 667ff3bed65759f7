/**
 * Fail if the sign-in page loads more than 215 kB gzip or a customer's page more than 120, or if one of them loads any
 * table or chart code. Run after `vite build`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
if (!existsSync(`${dist}.vite/manifest.json`)) {
  throw new Error("There is no build to measure: `npm run build` first.");
}
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8"));

/** The modules that a browser loads for each page in Spanish, and the most kilobytes of them. */
const PAGES = [
  {
    name: "sign-in page",
    most: 215,
    modules: [
      "index.html",
      "src/app/start.tsx",
      "src/features/login/LoginPage.tsx",
      "src/locales/es/first.ts",
    ],
  },
  {
    name: "customer's page",
    most: 120,
    modules: [
      "index.html",
      "src/features/customer-page/openPage.tsx",
      "src/locales/es/customerPage.json",
    ],
  },
];
/** Strings that occur only in the code of tables and of charts. */
const MARKS = { table: "-expanded-row", chart: "recharts-" };

/** The files of these modules and of all that they import. */
function filesOf(modules) {
  const files = new Set();
  const take = (name) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`The build holds no ${name}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const each of chunk.imports ?? []) take(each);
  };
  modules.forEach(take);
  const typeface = manifest["src/shared/theme/typeface/figtree.woff2"]?.file;
  if (typeface === undefined) throw new Error("The build holds no typeface.");
  files.add(typeface);
  return files;
}

const holding = (names, mark) =>
  names.filter((name) => readFileSync(dist + name, "utf8").includes(mark));

for (const { name, most, modules } of PAGES) {
  const files = filesOf(modules);
  const bytes = [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(dist + file)).length,
    0,
  );
  const kilobytes = Math.round(bytes / 1000);
  process.stdout.write(`${name}: ${kilobytes} kB gzip of ${most}\n`);
  if (kilobytes > most) process.exitCode = 1;
  const scripts = [...files].filter((file) => file.endsWith(".js"));
  for (const [what, mark] of Object.entries(MARKS)) {
    const found = holding(scripts, mark);
    if (found.length === 0) continue;
    process.stdout.write(`${name}: holds ${what} code in ${found.join(", ")}\n`);
    process.exitCode = 1;
  }
}
// The build contains tables: if no file has their mark, the mark is out of date.
const all = readdirSync(`${dist}static`).map((name) => `static/${name}`);
if (holding(all, MARKS.table).length === 0)
  throw new Error("The mark of table code is out of date.");
