import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { changeLanguage, startI18n } from "@/shared/i18n";
import { DayField } from "./DayField";

beforeAll(async () => {
  await startI18n();
});
afterEach(cleanup);

it.each([
  ["es", "Nov", "Quitar la fecha", ["Lun", "Mar", "Mié", "Jue", "Vie", "Sáb", "Dom"]],
  ["en", "Nov", "Clear the date", ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]],
] as const)(
  "names months and days in the user's language: %s",
  async (language, month, clear, days) => {
    await changeLanguage(language);
    render(<DayField value="2026-11-23" aria-label="Day" />);
    const field = screen.getByLabelText("Day");
    expect(field).toHaveProperty("value", "2026-11-23");
    fireEvent.mouseDown(field);
    fireEvent.click(field);
    const heads = await screen.findAllByRole("columnheader");
    expect(heads.map(({ textContent }) => textContent)).toEqual(days);
    expect(document.querySelector(".ant-picker-month-btn")?.textContent).toBe(month);
    expect(screen.getByLabelText(clear)).toBeDefined();
  },
);

it.each([null, "2026-11-23"])("keeps a typed day when it renders again: after %s", (value) => {
  const onChange = vi.fn<(day: string | null) => void>();
  const field = () => <DayField value={value} aria-label="Day" onChange={onChange} />;
  const { rerender } = render(field());
  const input = screen.getByLabelText("Day");
  fireEvent.focus(input);
  fireEvent.change(input, { target: { value: "2026-12-31" } });
  rerender(field());
  expect(input).toHaveProperty("value", "2026-12-31");
  fireEvent.blur(input);
  expect(onChange).toHaveBeenCalledExactlyOnceWith("2026-12-31");
});

it("reads a day without a year as the nearest one, and shows it whole", () => {
  const onChange = vi.fn<(day: string | null) => void>();
  vi.useFakeTimers({ now: new Date("2026-11-25T12:00:00"), toFake: ["Date"] });
  const field = (value: string | null) => (
    <DayField value={value} aria-label="Day" onChange={onChange} />
  );
  const { rerender } = render(field(null));
  const type = (text: string) => {
    const input = screen.getByLabelText("Day");
    fireEvent.focus(input);
    fireEvent.change(input, { target: { value: text } });
    fireEvent.blur(input);
  };
  type("18/1");
  expect(onChange).toHaveBeenCalledExactlyOnceWith("2027-01-18");
  rerender(field("2027-01-18"));
  type("18/1");
  expect(screen.getByLabelText("Day")).toHaveProperty("value", "2027-01-18");
  expect(onChange).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

it.each(["es", "en"] as const)("reads a day before its month and year: %s", async (language) => {
  await changeLanguage(language);
  const onChange = vi.fn<(day: string | null) => void>();
  render(<DayField value={null} aria-label="Day" onChange={onChange} />);
  const leave = (text: string) => {
    const input = screen.getByLabelText("Day");
    fireEvent.focus(input);
    fireEvent.change(input, { target: { value: text } });
    fireEvent.blur(input);
  };
  leave("3/4/2026");
  expect(onChange).toHaveBeenCalledExactlyOnceWith("2026-04-03");
  leave("12/15/2026");
  expect(screen.getByRole("alert").textContent).toContain("18/12/2026");
  expect(onChange).toHaveBeenCalledTimes(1);
});

it("refuses a year that the calendar would take for another one, and keeps what was typed", () => {
  const onChange = vi.fn<(day: string | null) => void>();
  render(<DayField value="2026-11-23" aria-label="Day" onChange={onChange} />);
  const input = screen.getByLabelText("Day");
  fireEvent.focus(input);
  fireEvent.change(input, { target: { value: "0027-01-15" } });
  fireEvent.blur(input);
  expect(screen.getByRole("alert").textContent).toContain("YYYY-MM-DD");
  expect(input).toHaveProperty("value", "0027-01-15");
  expect(onChange).not.toHaveBeenCalled();
});

it("shows an error for an empty required day, and the format for an invalid one", () => {
  const onChange = vi.fn<(day: string | null) => void>();
  render(
    <DayField
      value="2026-11-23"
      aria-label="Day"
      allowClear={false}
      missing="La fecha final es obligatoria"
      onChange={onChange}
    />,
  );
  const input = screen.getByLabelText("Day");
  const leave = (text: string) => {
    fireEvent.focus(input);
    fireEvent.change(input, { target: { value: text } });
    fireEvent.blur(input);
    return screen.getByRole("alert").textContent;
  };
  expect(leave("")).toBe("La fecha final es obligatoria");
  expect(leave("2026-11")).toContain("YYYY-MM-DD");
  expect(onChange).not.toHaveBeenCalled();
});

it("lets Tab leave the calendar without choosing a day", () => {
  const onChange = vi.fn<(day: string | null) => void>();
  render(<DayField value={null} aria-label="Day" onChange={onChange} />);
  const input = screen.getByLabelText("Day");
  fireEvent.mouseDown(input);
  fireEvent.focus(input);
  fireEvent.keyDown(input, { key: "ArrowDown" });
  const isLeft = fireEvent.keyDown(input, { key: "Tab" });
  fireEvent.blur(input);
  expect(isLeft).toBe(true);
  expect(onChange).not.toHaveBeenCalled();
  expect(input).toHaveProperty("value", "");
});
