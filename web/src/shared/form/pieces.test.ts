// @vitest-environment node
/** Every screen uses the shared number field and the shared form parts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../..", import.meta.url));
const screens = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);

/** Plain forms that are allowed: each has at most three fields, or uses `sendKeys`. */
const PLAIN_FORMS = [
  "features/login/LoginPage.tsx",
  "features/login/ResetPage.tsx",
  "features/login/SecondStep.tsx",
  "features/metal/DayForm.tsx",
  "features/notices/Times.tsx",
  "features/orders/order/AskApproval.tsx",
  "features/orders/order/CustomerAnswers.tsx",
  "features/orders/order/LinkMail.tsx",
  "features/orders/popup/Confirm.tsx",
  "entities/batches/MoveBatch.tsx",
  "entities/customerPage/Answering.tsx",
  "entities/labels/LabelsDialog.tsx",
  "entities/scanning/ScanDialog.tsx",
];

interface Tag {
  name: string;
  attributes: Map<string, unknown>;
}

interface Attribute {
  name?: { name: string };
  value?: { value?: unknown } | null;
}

interface Node {
  type?: string;
  [key: string]: unknown;
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, visit);
  else if (typeof node === "object" && node !== null) {
    const known: Node = { ...node };
    visit(known);
    for (const each of Object.values(known)) walk(each, visit);
  }
}

function tagsOf(code: string): Tag[] {
  const tags: Tag[] = [];
  walk(parseSync("screen.tsx", code).program, (node) => {
    if (node.type !== "JSXOpeningElement") return;
    const { name } = node["name"] as { name?: string };
    const attributes = node["attributes"] as Attribute[];
    const values = attributes.map((each) => [each.name?.name ?? "", each.value?.value] as const);
    tags.push({ name: name ?? "", attributes: new Map(values) });
  });
  return tags;
}

/** The fields, forms and buttons of a file that must be replaced with the shared parts. */
function wrongsOf(file: string, code: string): string[] {
  const wrongs: string[] = [];
  if (/from "antd\/es\/input-number/.test(code)) wrongs.push("a number field of Ant's");
  if (!/<(Form|form|input|Input|Button|button)\b/.test(code)) return wrongs;
  for (const { name, attributes } of tagsOf(code)) {
    if (name === "Form" && file !== "shared/form/FormParts.tsx") wrongs.push("a form of Ant's");
    if (name === "form" && !PLAIN_FORMS.includes(file)) wrongs.push("a plain form");
    if (attributes.get("type") === "number") wrongs.push("a number field of the browser's");
    const submits = attributes.get("htmlType") === "submit" || attributes.get("type") === "submit";
    if (submits && !PLAIN_FORMS.includes(file)) wrongs.push("a button that sends by Enter");
  }
  return wrongs;
}

it.each(screens)("%s uses the shared number field and form parts", (file) => {
  expect(wrongsOf(file, readFileSync(join(source, file), "utf8"))).toEqual([]);
});

it("reports each kind of field, form and button", () => {
  const code = `import InputNumber from "antd/es/input-number";
    const a = <Form><input type="number" /><Button htmlType="submit" /></Form>;
    const b = <form><button type="submit" /></form>;`;
  expect(wrongsOf("features/x.tsx", code).toSorted()).toEqual([
    "a button that sends by Enter",
    "a button that sends by Enter",
    "a form of Ant's",
    "a number field of Ant's",
    "a number field of the browser's",
    "a plain form",
  ]);
});
