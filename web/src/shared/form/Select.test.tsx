import { cleanup, createEvent, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Select } from "./Select";
import { sendKeys } from "@/shared/keyboard/sendKeys";

const ROLES = ["Administrador", "Jefatura de taller", "Taller de cera", "Táller", "Ventas"];
const OPTIONS = ROLES.map((label, place) => ({ value: `role-${place}`, label }));
const CODES = { ArrowDown: 40, Control: 17, Delete: 46, Enter: 13, Tab: 9 };

beforeAll(async () => {
  await startI18n();
});
afterEach(cleanup);

type Value = string | string[] | undefined;

function Field(props: { mode?: "multiple" | "tags"; showSearch?: boolean; allowClear?: boolean }) {
  const [value, setValue] = useState<Value>(props.mode ? [] : undefined);
  return (
    <>
      <Select
        {...props}
        options={OPTIONS}
        {...(value === undefined ? {} : { value })}
        onChange={(next) => setValue(next as Value)}
      />
      <output>{JSON.stringify(value ?? null)}</output>
    </>
  );
}

const field = () => screen.getByRole("combobox");
const chosen = () => JSON.parse(screen.getByRole("status").textContent) as unknown;
const options = () =>
  [...document.querySelectorAll(".ant-select-item-option")].map(({ textContent }) => textContent);

/** Press a key in the field; false if its default action was prevented. */
function press(key: keyof typeof CODES, ctrlKey = false): boolean {
  const code = CODES[key];
  const down = createEvent.keyDown(field(), { key, keyCode: code, which: code, ctrlKey });
  fireEvent(field(), down);
  fireEvent.keyUp(field(), { key });
  return !down.defaultPrevented;
}

async function open() {
  fireEvent.focus(field());
  press("ArrowDown");
  await screen.findAllByText("Administrador");
}

it.each([
  ["of one value", {}],
  ["of one value that can be cleared", { allowClear: true }],
  ["with a search", { showSearch: true, allowClear: true }],
  ["of several values", { mode: "multiple" as const }],
  ["of tags", { mode: "tags" as const }],
])("lets Tab leave a list %s without choosing", async (_, props) => {
  render(<Field {...props} />);
  const before = chosen();
  await open();
  press("ArrowDown");
  expect(options()).toEqual(ROLES);
  expect(press("Tab")).toBe(true);
  expect(chosen()).toEqual(before);
});

it("sorts equal labels first, then those that start with the text, and chooses the first by Enter", async () => {
  render(<Field mode="multiple" />);
  await open();
  fireEvent.change(field(), { target: { value: "taller" } });
  expect(options()).toEqual(["Táller", "Taller de cera", "Jefatura de taller"]);
  press("Enter");
  expect(chosen()).toEqual(["role-3"]);
  expect(press("Tab")).toBe(true);
  expect(chosen()).toEqual(["role-3"]);
});

it("is cleared by Delete and by its icon, which Tab skips", async () => {
  render(<Field allowClear />);
  await open();
  press("Enter");
  expect(chosen()).toBe("role-0");
  const icon = document.querySelector<HTMLButtonElement>(".ant-select-clear")!;
  expect(icon.tabIndex).toBe(-1);
  fireEvent.click(icon);
  expect(chosen()).toBeNull();
  await open();
  press("Enter");
  press("Delete");
  expect(chosen()).toBeNull();
});

type Step = keyof typeof CODES | { typed: string };

it.each<[string, Step[], string[]]>([
  ["the option that was typed", [{ typed: "cera" }], ["role-2"]],
  ["the option that was moved to", ["ArrowDown", "ArrowDown"], ["role-2"]],
  ["what was chosen, and takes it not back", ["ArrowDown", "Enter"], ["role-1"]],
  ["two chosen options", [{ typed: "cera" }, "Enter", { typed: "ventas" }], ["role-2", "role-4"]],
  ["nothing that the list marked by itself", [], []],
  ["nothing if no option has the text", [{ typed: "nadie" }], []],
])("sends a form by Ctrl+Enter in an open list with %s", async (_, steps, sent) => {
  const send = vi.fn<(value: unknown) => void>();
  render(
    <form {...sendKeys(() => send(chosen()))}>
      <Field mode="multiple" />
    </form>,
  );
  await open();
  for (const step of steps) {
    if (typeof step === "string") press(step);
    else fireEvent.change(field(), { target: { value: step.typed } });
  }
  press("Control", true);
  press("Enter", true);
  await waitFor(() => expect(send).toHaveBeenCalledExactlyOnceWith(sent));
});

it("chooses by Ctrl+Enter in an open list of one value, and sends nothing", async () => {
  const send = vi.fn<() => void>();
  render(
    <form {...sendKeys(send)}>
      <Field />
    </form>,
  );
  await open();
  press("Enter", true);
  await waitFor(() => expect(chosen()).toBe("role-0"));
  expect(send).not.toHaveBeenCalled();
});
