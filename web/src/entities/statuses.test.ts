// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ORDER_STATUSES } from "./statuses";

const sheet = readFileSync("src/shared/ui/ui.css", "utf8");

/** The colour of a status' chip: that of its own rule, else the quiet one. */
function colourOf(status: string): string {
  const rules = [...sheet.matchAll(/((?:\.ob-chip[\w-]*,?\s*)+)\{([^}]*)\}/g)];
  const own = rules.find(
    ([, names = "", body = ""]) =>
      names.split(/[\s,]+/).includes(`.ob-chip--${status}`) && /color:/.test(body),
  );
  return /[^-]color: ([^;]+);/.exec(own?.[2] ?? "")?.[1] ?? "quiet";
}

test("a billed line and its bill have one colour", () => {
  expect(colourOf("Billed")).toBe(colourOf("Invoiced"));
  expect(colourOf("Billed")).toBe("var(--ob-violet)");
});

test("no status is red or amber, which mean late and slow", () => {
  const colours = [...ORDER_STATUSES, "PreBill", "Billed"].map(colourOf);
  expect(new Set(colours).size).toBeGreaterThan(3);
  expect(colours).not.toContain("var(--ob-danger)");
  expect(colours).not.toContain("var(--ob-warning)");
});
