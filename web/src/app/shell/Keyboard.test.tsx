/** What is typed after Ctrl+K, before the palette's code is there. */
import { act, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { declare } from "@/shared/keyboard/shortcuts";
import { Keyboard } from "./Keyboard";

const code = vi.hoisted(() => {
  let come = () => {};
  const comes = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { comes, come };
});
vi.mock("./Palette", async () => {
  await code.comes;
  return {
    default: ({ early }: { early: () => string }) => (
      <input className="ob-palette" aria-label="palette" defaultValue={early()} />
    ),
  };
});

beforeAll(() => startI18n(["shared", "keyboard", "orders"]));
beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout"], shouldAdvanceTime: true }));
afterEach(() => vi.useRealTimers());

const press = (key: string, more = {}) => fireEvent.keyDown(document.body, { key, ...more });

it("keeps it for the palette, and runs no shortcut of the page by it", async () => {
  const pressed = vi.fn<() => void>();
  const remove = declare({ key: "n", does: "new", press: pressed });
  render(
    <MemoryRouter>
      <Keyboard />
    </MemoryRouter>,
  );
  press("k", { ctrlKey: true });
  for (const key of "nls 26") press(key);
  await act(async () => code.come());
  expect(await screen.findByLabelText<HTMLInputElement>("palette")).toHaveProperty(
    "value",
    "nls 26",
  );
  vi.advanceTimersByTime(1_000); // a letter runs after a pause
  expect(pressed).not.toHaveBeenCalled();
  remove();
});
