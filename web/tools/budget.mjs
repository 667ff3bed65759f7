/** Fails where the sign-in page loads more than its share. Run after `vite build`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const MOST_KILOBYTES = 230;
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8"));

/** What a browser fetches to draw the sign-in in Spanish. */
const wanted = [
  "index.html",
  "src/features/login/LoginPage.tsx",
  "src/locales/es/shared.json",
  "src/locales/es/shell.json",
  "src/locales/es/login.json",
];
const files = new Set();
function take(name) {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`The build holds no ${name}.`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const each of chunk.imports ?? []) take(each);
}
wanted.forEach(take);

const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(dist + file)).length, 0);
const kilobytes = Math.round(bytes / 1000);
process.stdout.write(`sign-in page: ${kilobytes} kB gzip of ${MOST_KILOBYTES}\n`);
if (kilobytes > MOST_KILOBYTES) process.exitCode = 1;
