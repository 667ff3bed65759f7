// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

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
