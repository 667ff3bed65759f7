import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Amount } from "./Amount";

function Pad() {
  const [typed, setTyped] = useState<string | null>(null);
  return <Amount type="out" whole={18} start={18} most={18} typed={typed} onType={setTyped} />;
}

/** Press these keys. Returns the number on the pad. */
async function after(...keys: (string | RegExp)[]) {
  render(<Pad />);
  for (const name of keys) {
    await userEvent.click(screen.getByRole("button", { name }));
  }
  return document.querySelector("output strong")?.textContent;
}

beforeAll(() => startI18n());

it.each([
  [[/½/, "3"], "3"],
  [[/½/, "1", "2"], "12"],
  [[/¼/, "Borrar"], ""],
  [["1", "2"], "12"],
  [["1", /½/], "9"],
  [["1", "2", "Borrar", "5"], "15"],
] as const)("after the keys %j shows %s", async (keys, shown) => {
  expect(await after(...keys)).toBe(shown);
});
