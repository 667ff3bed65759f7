import { cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Select } from "./Select";

const ROLES = ["Administrador", "Jefatura de taller", "Taller de cera", "Táller", "Ventas"];
const OPTIONS = ROLES.map((label, place) => ({ value: `role-${place}`, label }));
const CODES = { ArrowDown: 40, Delete: 46, Enter: 13, Tab: 9 };

class NothingResizes {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
}

beforeAll(async () => {
  vi.stubGlobal("ResizeObserver", NothingResizes);
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
function press(key: keyof typeof CODES): boolean {
  const down = createEvent.keyDown(field(), { key, keyCode: CODES[key], which: CODES[key] });
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
