import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { act, cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { keepDraft, readDraft } from "./draft";
import { FormDrawer, type FormDrawerProps } from "./FormDrawer";

interface Values {
  name: string;
  notes: string;
}

/** Newer browsers return a promise. */
const IN_VIEW = vi.fn<() => unknown>(() => Promise.resolve());

beforeAll(() => startI18n());
beforeEach(() => {
  storeSession(aSession());
  Element.prototype.scrollIntoView = IN_VIEW as () => void;
  IN_VIEW.mockClear();
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

type Given = Pick<FormDrawerProps<Values>, "initial" | "save" | "reload">;

function show(given: Given) {
  const drawer = (
    <FormDrawer<Values>
      title="Material"
      name="materials/3"
      fields={["name", "notes"]}
      describe={(field, values) => ({ label: field, text: values[field] })}
      onClose={() => undefined}
      {...given}
    >
      <Form.Item name="notes" label="Notes">
        <Input />
      </Form.Item>
    </FormDrawer>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element: drawer }])} />);
  return screen.getByLabelText<HTMLInputElement>("Notes");
}

const NOTHING_SENT = () => Promise.reject(new Error("Nothing is sent."));
const OVER = { name: "Plata", notes: "" };
const drafted = () =>
  keepDraft("materials/3", 7, { values: { ...OVER, notes: "Mine" }, over: OVER });

it("shows what others changed since a draft was typed, before it is saved", () => {
  drafted();
  const initial = { name: "Plata", notes: "Theirs" };
  const notes = show({ initial, save: NOTHING_SENT, reload: () => Promise.resolve(initial) });
  expect(notes.value).toBe("Mine");
  expect(screen.getByRole("alert").textContent).toContain("Theirs");
  expect(IN_VIEW).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Guardar de todos modos" })).toBeDefined();

  fireEvent.click(screen.getByRole("button", { name: "Empezar de nuevo" }));
  expect(notes.value).toBe("Theirs");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("shows no note if nothing has changed or the record is new", () => {
  drafted();
  const reload = () => Promise.resolve(OVER);
  expect(show({ initial: OVER, save: NOTHING_SENT, reload }).value).toBe("Mine");
  expect(screen.queryByRole("alert")).toBeNull();
  cleanup();
  expect(show({ initial: { ...OVER, name: "Oro" }, save: NOTHING_SENT }).value).toBe("Mine");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("blocks input while it is sent, and allows it again after an error", async () => {
  let refuse: (reason: ApiError) => void = () => undefined;
  const answer = new Promise<never>((_, reject) => (refuse = reject));
  const save = vi.fn<FormDrawerProps<Values>["save"]>(() => answer);
  const notes = show({ initial: OVER, save });
  notes.focus();
  fireEvent.change(notes, { target: { value: "Mine" } });
  fireEvent.keyDown(notes, { key: "Enter", ctrlKey: true });
  await vi.waitFor(() => expect(notes.readOnly).toBe(true));
  expect(document.activeElement).toBe(notes);
  const enter = createEvent.keyDown(notes, { key: "Enter" });
  fireEvent(notes, enter);
  expect(enter.defaultPrevented).toBe(true);
  expect(save).toHaveBeenCalledOnce();

  await act(async () => {
    refuse(new ApiError(503, { code: "unavailable", message: "", params: {}, errors: [] }));
    await Promise.resolve();
  });
  await vi.waitFor(() => expect(notes.readOnly).toBe(false));
  expect(notes.value).toBe("Mine");
});

it("keeps no draft of what is typed while it closes after it was saved", async () => {
  const notes = show({ initial: OVER, save: () => Promise.resolve({ name: "Plata" }) });
  fireEvent.change(notes, { target: { value: "Mine" } });
  expect(readDraft("materials/3", 7)).not.toBeNull();
  fireEvent.keyDown(notes, { key: "Enter", ctrlKey: true });
  await vi.waitFor(() => expect(readDraft("materials/3", 7)).toBeNull());
  expect(notes.readOnly).toBe(true);
  fireEvent.change(notes, { target: { value: "Minen" } });
  expect(readDraft("materials/3", 7)).toBeNull();
});
