import { act, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Typed } from "@/shared/format/typedNumber";
import { startI18n } from "@/shared/i18n";
import { useScannerTyping } from "@/entities/scanning/scanning";
import { scale } from "./scale";
import { WeightField } from "./WeightField";

const CODE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOP";
/** As at a station: even a short text that is typed this fast is a scan. */
const STATION = { isShort: (text: string) => text.length >= 3, slowly: true };

const onCode = vi.fn<(code: string) => void>();
const onEnter = vi.fn<() => void>();
const onChange = vi.fn<(typed: Typed) => void>();

function Sheet({ required = true, fromScale = true }) {
  const [grams, setGrams] = useState<Typed>(null);
  useScannerTyping(onCode, STATION);
  return (
    <>
      <WeightField
        aria-label="Peso"
        required={required}
        fromScale={fromScale}
        value={grams}
        onChange={(typed) => {
          onChange(typed);
          setGrams(typed);
        }}
        onEnter={onEnter}
      />
      <input aria-label="Notas" />
      <button type="button">Sacar 6</button>
    </>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>("Peso");
const why = () => screen.queryByRole("alert")?.textContent;
const grams = () => onChange.mock.lastCall?.[0];
const type = (value: string) => fireEvent.change(field(), { target: { value } });

/** The time of the last key, which a busy machine must not stretch. */
let at = 10_000;

/** Press a key so many milliseconds after the one before it. Returns false if its default is prevented. */
function press(key: string, target: HTMLElement, pause: number): boolean {
  at += pause;
  const event = createEvent.keyDown(target, { key });
  Object.defineProperty(event, "timeStamp", { value: at });
  return fireEvent(target, event);
}
const enter = (pause = 2_000) => press("Enter", field(), pause);

/** Type as a device does. */
function burst(text: string, target: HTMLElement = field()) {
  for (const [place, key] of [...text].entries()) {
    press(key, target, place === 0 ? 2_000 : 5);
    if (target instanceof HTMLInputElement) {
      fireEvent.change(target, { target: { value: target.value + key } });
    }
  }
  press("Enter", target, 5);
}

beforeAll(() => startI18n());
beforeEach(() => {
  vi.useFakeTimers();
  for (const mock of [onCode, onEnter, onChange]) mock.mockReset();
});
afterEach(() => vi.useRealTimers());

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

describe("a weight typed by hand", () => {
  it("is read with a point or a comma, stays as typed, and Enter goes on at once", () => {
    render(<Sheet />);
    type("12,50");
    expect(grams()).toBe(12.5);
    expect(field().value).toBe("12,50");
    enter();
    expect(onEnter).toHaveBeenCalledOnce();
  });

  it.each([
    ["", "Falta el peso: pese las piezas o escriba los gramos"],
    ["12 oz", "El peso viene en «oz»: escriba gramos (g), o cambie la báscula a gramos"],
    ["61.7 ct", "El peso viene en «ct»: escriba gramos (g), o cambie la báscula a gramos"],
    ["-3", "Pesa menos de cero: ponga la báscula en ceros y pese de nuevo"],
    ["0", "Pesa cero: ponga las piezas en la báscula"],
    ["US,+12.3 g", "La báscula se mueve: espere a que se quede quieta"],
    ["1,250", "No se sabe si son 1.25 o 1250 gramos: escriba 1.25 o 1250"],
    ["12.3456", "Hasta 3 decimales"],
    ["2000000", "Hasta 1,000,000 g"],
    ["470913", "¿470913 gramos? Parece un PIN. Si es el peso, escriba 470913 g"],
    ["doce", "Escriba los gramos con cifras: 12.5"],
  ])("is refused: %j, and Enter stays in the field", (text, said) => {
    render(<Sheet />);
    if (text !== "") type(text);
    enter();
    expect(why()).toBe(said);
    expect(field().value).toBe(text);
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect(onEnter).not.toHaveBeenCalled();
  });

  it("may be left out where the process does not ask for it", () => {
    render(<Sheet required={false} />);
    enter();
    expect(why()).toBeUndefined();
    expect(onEnter).toHaveBeenCalledOnce();
  });
});

describe("a keyboard scale", () => {
  it.each(["12.34", "12,34", "  12.34 g", "ST,+00012.34  g", "+0012.34 g"])(
    "types %j and Enter: the weight is taken, and no scan",
    (text) => {
      render(<Sheet />);
      burst(text);
      expect(grams()).toBe(12.34);
      expect(onCode).not.toHaveBeenCalled();
      wait(300);
      expect(onEnter).toHaveBeenCalledOnce();
    },
  );

  it("that sends Enter twice presses nothing with the second one", () => {
    render(<Sheet />);
    burst("12.34");
    enter(20);
    expect(onEnter).not.toHaveBeenCalled();
    wait(300);
    expect(onEnter).toHaveBeenCalledOnce();
  });

  it("may write three decimals after a comma, which is doubtful from a person", () => {
    render(<Sheet />);
    burst("12,345 g");
    expect(grams()).toBe(12.345);
    expect(why()).toBeUndefined();
  });

  it("that sends grains as «gr» is refused, though a person means grams by it", () => {
    render(<Sheet />);
    type("12,5 gr");
    expect(grams()).toBe(12.5);
    type("");
    burst("190.4 gr");
    wait(300);
    expect(grams()).toBeNull();
    expect(onEnter).not.toHaveBeenCalled();
  });

  it("is told that carats are no grams", () => {
    render(<Sheet />);
    burst("61.7 ct");
    wait(300);
    expect(why()).toBe("El peso viene en «ct»: escriba gramos (g), o cambie la báscula a gramos");
    expect(onEnter).not.toHaveBeenCalled();
  });

  it("fills the field wherever the focus is, and clears what it typed there", () => {
    render(<Sheet />);
    const notes = screen.getByLabelText<HTMLInputElement>("Notas");
    burst("12.34", notes);
    expect(grams()).toBe(12.34);
    expect(notes.value).toBe("");
    burst("12.50", screen.getByRole("button", { name: "Sacar 6" }));
    expect(grams()).toBe(12.5);
    expect(onCode).not.toHaveBeenCalled();
  });
});

describe("a scanner beside the field", () => {
  it("types a code into the field: it is a scan, and the field is as before", () => {
    render(<Sheet />);
    type("12.3");
    burst(CODE);
    expect(onCode.mock.calls).toEqual([[CODE]]);
    expect(field().value).toBe("12.3");
    wait(1_000);
    burst("12-1");
    expect(onCode.mock.lastCall).toEqual(["12-1"]);
    expect(onEnter).not.toHaveBeenCalled();
  });

  it("types digits elsewhere: they are a code, not a weight", () => {
    render(<Sheet />);
    burst("7501055300075", screen.getByRole("button", { name: "Sacar 6" }));
    expect(onCode.mock.calls).toEqual([["7501055300075"]]);
    expect(onChange).not.toHaveBeenCalled();
  });

  it("types a number while no field waits for a weight: it is a code", () => {
    render(<Sheet fromScale={false} />);
    burst("12.34", screen.getByRole("button", { name: "Sacar 6" }));
    expect(onCode.mock.calls).toEqual([["12.34"]]);
  });
});

describe("the device's scale", () => {
  /** What the field hears from the serial port. */
  const heard: Parameters<typeof scale.listen>[0][] = [];
  const hear = (...reading: Parameters<(typeof heard)[number]>) =>
    act(() => heard.at(-1)?.(...reading));

  beforeEach(() => {
    heard.length = 0;
    vi.spyOn(scale, "listen").mockImplementation((listener) => {
      heard.push(listener);
      return () => {};
    });
  });

  it("fills the field with stable weights alone, the newest one", () => {
    render(<Sheet />);
    hear({ kind: "moving", grams: 11 }, false);
    expect(onChange).not.toHaveBeenCalled();
    expect(screen.getByRole("status").textContent).toMatch("La báscula se mueve");
    hear({ kind: "stable", grams: 12.34 }, false);
    expect(field().value).toBe("12.34");
    expect(screen.queryByRole("status")).toBeNull();
    hear({ kind: "stable", grams: 12.35 }, false);
    expect(grams()).toBe(12.35);
    expect(onEnter).not.toHaveBeenCalled();
  });

  it("keeps the weight when the pieces are lifted", () => {
    render(<Sheet />);
    hear({ kind: "stable", grams: 12.34 }, false);
    hear({ kind: "moving", grams: 3 }, false);
    hear({ kind: "stable", grams: 0 }, false);
    hear({ kind: "stable", grams: -10 }, false);
    expect(field().value).toBe("12.34");
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("does not replace what a person typed", () => {
    render(<Sheet />);
    type("12");
    hear({ kind: "stable", grams: 99 }, false);
    expect(grams()).toBe(12);
    type("");
    hear({ kind: "stable", grams: 99 }, false);
    expect(grams()).toBe(99);
  });

  it("that weighs in ounces is named", () => {
    render(<Sheet />);
    hear({ kind: "refused", problem: { why: "unit", unit: "oz" } }, false);
    expect(screen.getByRole("status").textContent).toMatch("cambie la báscula a gramos");
    expect(onChange).not.toHaveBeenCalled();
  });

  it("has its button inside the field, and Tab goes past it", () => {
    vi.spyOn(scale, "isSupported", "get").mockReturnValue(true);
    render(<Sheet />);
    const button = screen.getByRole("button", { name: "Ninguna báscula conectada" });
    expect(button.tabIndex).toBe(-1);
    expect(field().parentElement?.contains(button)).toBe(true);
    expect(fireEvent.mouseDown(button)).toBe(false); // the field keeps the focus
  });

  it("is heard by the first field alone", () => {
    render(<Sheet fromScale={false} />);
    expect(heard).toEqual([]);
  });
});

it("goes to the form's button by Enter, if nothing else is said", () => {
  render(
    <form>
      <WeightField aria-label="Peso" value={12} />
      <button type="submit">Guardar</button>
    </form>,
  );
  expect(enter()).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Guardar" }));
});

it("shows why the server refused the weight, and what to do", () => {
  render(<WeightField aria-label="Peso" value={12} refused="Sale más metal del que entró" />);
  expect(why()).toBe("Sale más metal del que entró");
  expect(field().getAttribute("aria-describedby")).toBe(screen.getByRole("alert").id);
});
