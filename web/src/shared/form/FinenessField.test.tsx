import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeAll, expect, it } from "vitest";
import type { Typed } from "@/shared/format/typedNumber";
import { startI18n } from "@/shared/i18n";
import { FinenessField } from "./FinenessField";

beforeAll(() => startI18n());

function Held({ start }: { start: Typed }) {
  const [value, setValue] = useState<Typed>(start);
  return <FinenessField aria-label="Ley" value={value} onChange={setValue} />;
}

const field = () => screen.getByRole("textbox", { name: "Ley" });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

it("takes a number that is meant in percent as per mille", () => {
  render(<Held start={null} />);
  type("92.5");
  expect(screen.getByRole("status").textContent).toContain("¿‰ o %?");
  press("92.5 % = 925 ‰");
  expect(field()).toHaveProperty("value", "925");
  expect(screen.queryByRole("status")).toBeNull();
});

it.each([
  ["92.5%", "92.5% = 925 ‰", "925"],
  ["92,5 %", "92,5 % = 925 ‰", "925"],
  [".925", "0.925 = 925 ‰", "925"],
  ["14k", "14k = 583.3 ‰", "583.3"],
  ["18 kt", "18 kt = 750 ‰", "750"],
  ["925/1000", "925/1000 = 925 ‰", "925"],
])("offers the per mille of %s", (typed, name, share) => {
  render(<Held start={null} />);
  type(typed);
  press(name);
  expect(field()).toHaveProperty("value", share);
  expect(screen.queryByRole("status")).toBeNull();
});

it("keeps a number that is meant in per mille", () => {
  render(<Held start={null} />);
  type("50");
  press("50 ‰");
  expect(field()).toHaveProperty("value", "50");
  expect(screen.queryByRole("status")).toBeNull();
});

it.each(["0", "100.1", "925", "abc", "", "25k", "101%", "12 ct"])(
  "asks nothing about %s",
  (typed) => {
    render(<Held start={999} />);
    type(typed);
    expect(screen.queryByRole("status")).toBeNull();
  },
);

it("asks nothing about a stored fineness", () => {
  render(<Held start={50} />);
  expect(screen.queryByRole("status")).toBeNull();
});
