import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import Form from "antd/es/form";
import { useState } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { NumberRule, Typed } from "@/shared/format/typedNumber";
import { startI18n } from "@/shared/i18n";
import { FormBody, FormScope, SendButton } from "./FormParts";
import { NumberField } from "./NumberField";
import { fieldsIn } from "@/shared/keyboard/sendKeys";

// The first render takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const sent = vi.fn<(values: unknown) => void>();
const PIECES = { least: 1, most: 18 };
const words = { tooMany: "Solo hay 18 dentro", missing: "Escriba cuántas" };

beforeAll(() => startI18n());
beforeEach(() => sent.mockReset());

interface Given {
  rule?: NumberRule;
  fields?: number;
  initial?: Typed;
}

function Sheet({ rule = PIECES, fields = 1, initial = 18 }: Given) {
  const [form] = Form.useForm<{ pieces: Typed }>();
  return (
    <FormScope>
      <FormBody form={form} busy={false} initialValues={{ pieces: initial }} onFinish={sent}>
        <Form.Item name="pieces" label="Piezas">
          <NumberField rule={rule} words={words} />
        </Form.Item>
        {Array.from({ length: fields - 1 }, (_, index) => (
          <input key={index} aria-label={`Otro ${index}`} />
        ))}
        <textarea aria-label="Notas" />
      </FormBody>
      <SendButton onClick={form.submit}>Sacar</SendButton>
    </FormScope>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>("Piezas");
const alert = () => document.querySelector('[role="alert"]');
const button = () => screen.getByText<HTMLSpanElement>("Sacar").closest("button")!;
const type = (value: string) => fireEvent.change(field(), { target: { value } });

it.each([
  ["25", "Solo hay 18 dentro"],
  ["", "Escriba cuántas"],
  ["0", "Debe ser 1 o más"],
  ["-3", "Debe ser 1 o más"],
  ["1.5", "Escriba un número entero"],
  ["abc", "Escriba un número, solo con cifras"],
  ["1,200", "Escríbalo sin separadores: 1200"],
])("keeps %j as typed, shows why it is wrong, and sends nothing", (text, why) => {
  render(<Sheet />);
  type(text);
  fireEvent.blur(field());
  expect(field().value).toBe(text);
  expect(alert()?.textContent).toBe(why);
  expect(field().getAttribute("aria-invalid")).toBe("true");
  expect(field().getAttribute("aria-describedby")).toContain(alert()!.id);
  expect(button().disabled).toBe(true);
  fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
  expect(sent).not.toHaveBeenCalled();
});

it("says nothing about an empty field that nobody touched, until it is sent or left", async () => {
  const { unmount } = render(<Sheet initial={null} />);
  expect(alert()).toBeNull();
  expect(field().getAttribute("aria-invalid")).toBe("false");
  expect(button().disabled).toBe(false);
  await userEvent.click(button());
  await vi.waitFor(() => expect(alert()?.textContent).toBe("Escriba cuántas"));
  expect(sent).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(field());
  expect(button().disabled).toBe(true);
  type("4");
  expect(alert()).toBeNull();
  expect(button().disabled).toBe(false);
  unmount();

  render(<Sheet initial={null} />);
  fireEvent.blur(field());
  expect(alert()?.textContent).toBe("Escriba cuántas");
});

it("can be sent again after a correction", async () => {
  render(<Sheet />);
  type("25");
  type("12");
  expect(alert()).toBeNull();
  await userEvent.click(button());
  await vi.waitFor(() => expect(sent).toHaveBeenCalledWith({ pieces: 12 }));
});

it("keeps its text and shows an error when the maximum falls below it", () => {
  const { rerender } = render(<Sheet />);
  type("12");
  rerender(<Sheet rule={{ least: 1, most: 8 }} />);
  expect(field().value).toBe("12");
  expect(alert()?.textContent).toBe("Solo hay 18 dentro");
  expect(button().disabled).toBe(true);
});

it("ignores the wheel and the arrow keys", () => {
  render(<Sheet />);
  type("12");
  fireEvent.wheel(field(), { deltaY: 100 });
  fireEvent.keyDown(field(), { key: "ArrowUp" });
  fireEvent.keyDown(field(), { key: "ArrowDown" });
  expect(field().value).toBe("12");
});

it("keeps the trailing zeros of a price", () => {
  function Price() {
    const [value, setValue] = useState<Typed>(0);
    const rule = { least: 0, most: 100, decimals: 4 };
    return <NumberField rule={rule} aria-label="Piezas" value={value} onChange={setValue} />;
  }
  render(<Price />);
  type("1.50");
  fireEvent.blur(field());
  expect(field().value).toBe("1.50");
});

it("asks for a whole number in a currency without decimals", () => {
  const rule = { least: 0, most: 100, decimals: 0 };
  render(<NumberField rule={rule} aria-label="Piezas" value={1.5} />);
  expect(screen.getByRole("alert").textContent).toBe("Escriba un número entero");
});

it("sends a short form by Enter, and a longer one only by Ctrl+Enter or ⌘+Enter", async () => {
  const { unmount } = render(<Sheet fields={2} />);
  fireEvent.keyDown(field(), { key: "Enter" });
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  unmount();
  sent.mockReset();

  render(<Sheet fields={3} />);
  expect(fireEvent.keyDown(field(), { key: "Enter" })).toBe(false);
  fireEvent.keyDown(screen.getByLabelText("Otro 0"), { key: "Enter" });
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(sent).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByLabelText("Notas"), { key: "Enter", ctrlKey: true });
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  fireEvent.keyDown(field(), { key: "Enter", metaKey: true });
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
});

it("counts a group as more than three fields", () => {
  const form = document.createElement("form");
  form.innerHTML = '<input type="hidden"><input><textarea></textarea><button role="switch">';
  expect(fieldsIn(form)).toBe(3);
  form.innerHTML = '<input><div role="group" aria-busy="true"></div>';
  expect(fieldsIn(form)).toBeGreaterThan(3);
});

it("leaves Enter in notes to the text", () => {
  render(<Sheet />);
  expect(fireEvent.keyDown(screen.getByLabelText("Notas"), { key: "Enter" })).toBe(true);
});

it("shows the keys that send in the button's title", () => {
  render(<Sheet />);
  expect(button().title).toBe("Ctrl+Enter");
});
