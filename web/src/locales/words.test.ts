// @vitest-environment node
/** Both languages hold the same keys and placeholders, and no screen holds words of its own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("..", import.meta.url));
const SPOKEN = new Set(["alt", "aria-label", "description", "label", "placeholder", "title"]);

type Words = { [key: string]: string | Words };

function words(language: string, file: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (part: Words, path: string) => {
    for (const [key, value] of Object.entries(part)) {
      if (typeof value === "string") found.set(path + key, value);
      else walk(value, `${path}${key}.`);
    }
  };
  walk(JSON.parse(readFileSync(join(source, "locales", language, file), "utf8")) as Words, "");
  return found;
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
const files = readdirSync(join(source, "locales/es"));
const json = files.filter((file) => file.endsWith(".json"));
const bundles = files.filter((file) => file.endsWith(".ts"));

describe("the words", () => {
  it("stand in a file of the same name in each language", () => {
    expect(readdirSync(join(source, "locales/en"))).toEqual(files);
  });

  it.each(json)("%s has the same keys and placeholders in both languages, none empty", (file) => {
    const [es, en] = [words("es", file), words("en", file)];
    expect([...en.keys()].toSorted()).toEqual([...es.keys()].toSorted());
    expect([...es, ...en].filter(([, text]) => text.trim() === "")).toEqual([]);
    const holes = (language: typeof es) =>
      [...es.keys()].map((key) => `${key} ${placeholders(language.get(key)!).toSorted().join()}`);
    expect(holes(en)).toEqual(holes(es));
  });

  it.each(json)("%s is known to the types", (file) => {
    const name = file.replace(".json", "");
    const types = readFileSync(join(source, "locales/words.d.ts"), "utf8");
    expect(types).toContain(`${name}: typeof ${name};`);
  });

  it("are bundled alike in both languages", () => {
    expect(bundles).toEqual(["features.ts", "first.ts"]);
    for (const file of bundles) {
      const [es, en] = ["es", "en"].map((language) =>
        readFileSync(join(source, "locales", language, file), "utf8"),
      );
      expect(en).toBe(es);
    }
  });
});

/** Texts written into JSX instead of standing in a locale file, as `line: text`. */
function hardCoded(code: string): string[] {
  const found: string[] = [];
  const note = (node: { start: number }, text: unknown) => {
    if (typeof text === "string" && /\p{L}{2,}/u.test(text)) {
      found.push(`${code.slice(0, node.start).split("\n").length}: ${text.trim()}`);
    }
  };
  const walk = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== "object" || node === null) return undefined;
    const { type, ...rest } = node as { type?: string; start: number; [key: string]: unknown };
    if (type === "JSXText") note(rest, rest["value"]);
    if (type === "JSXAttribute") {
      const name = (rest["name"] as { name?: string }).name ?? "";
      const value = rest["value"] as { type: string; value?: unknown } | null;
      if (SPOKEN.has(name) && value?.type === "Literal") note(rest, value.value);
    }
    return Object.values(rest).forEach(walk);
  };
  walk(parseSync("screen.tsx", code).program);
  return found;
}

describe("the screens", () => {
  const screens = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"),
  );

  it.each(screens)("%s holds no words of its own", (file) => {
    expect(hardCoded(readFileSync(join(source, file), "utf8"))).toEqual([]);
  });

  it("would be caught with words between tags or in a spoken attribute", () => {
    const screen = 'const a = <p\n title="Hola mundo">\nAdiós {t("x")} <b lang="es">–</b></p>;';
    expect(hardCoded(screen)).toEqual(["2: Hola mundo", "2: Adiós"]);
  });
});
