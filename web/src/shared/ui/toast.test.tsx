import { act, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { toastError, toastNotAllowed } from "./errors";
import { focusSaved, toast, Toaster } from "./toast";

const after = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const CUSTOMERS = "/catalogs/customers";
const SAVED = { name: "Platería Norte", path: `${CUSTOMERS}?record=3` };

function Address() {
  const { pathname, search } = useLocation();
  return <nav>{pathname + search}</nav>;
}

function open(address: string = CUSTOMERS, mayOpen: (pathname: string) => boolean = () => true) {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Address />
      <Toaster mayOpen={mayOpen} />
    </MemoryRouter>,
  );
}
const shown = () => document.querySelector(".ob-toast");
const link = () => screen.queryByRole<HTMLAnchorElement>("link");

beforeAll(() => startI18n());

beforeEach(() => {
  vi.useFakeTimers();
  return () => {
    vi.runAllTimers();
    vi.useRealTimers();
  };
});

it("shows a confirmation for three seconds", () => {
  open();
  act(() => toast.success("Saved"));
  expect(shown()?.textContent).toBe("Saved");
  expect(shown()?.role).toBe("status");
  after(2_999);
  expect(shown()).not.toBeNull();
  after(1);
  expect(shown()).toBeNull();
});

it("says in one sentence what was done, as a link", () => {
  open();
  act(() => toast.done({ name: "Factura F-0002 emitida", path: SAVED.path }));
  expect(shown()?.textContent).toBe("Factura F-0002 emitida");
  expect(link()?.textContent).toBe("Factura F-0002 emitida");
});

it("says what was deleted, and links to what stays of it", () => {
  open();
  act(() => toast.deleted("Factura F-0002 cancelada", SAVED.path));
  expect(shown()?.textContent).toMatch(/: Factura F-0002 cancelada$/);
  expect(link()?.textContent).toBe("Factura F-0002 cancelada");
});

it("shows an error as an alert, and the same text only once", () => {
  open();
  act(() => toast.error("No"));
  after(2_000);
  act(() => toast.error("No"));
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  after(2_999);
  expect(screen.queryByRole("alert")).not.toBeNull();
});

it("has a button Error in every error, which dismisses it", () => {
  open();
  act(() => toast.error("Ocurrió un error, inténtalo de nuevo"));
  act(toastNotAllowed);
  expect(screen.getAllByRole("button", { name: "Error" })).toHaveLength(2);
  fireEvent.click(screen.getAllByRole("button", { name: "Error" })[0]!);
  const [left, ...more] = screen.getAllByRole("alert");
  expect(more).toEqual([]);
  expect(left?.textContent).toBe("No tiene permisos para realizar esta acción.Error");
});

it("has no button in a message that is not an error", () => {
  open();
  act(() => toast.success("Saved"));
  act(() => toast.note("Ana"));
  expect(screen.queryByRole("button")).toBeNull();
});

it("shows a missing permission for four seconds and leaves a 401 to the sign-in", () => {
  open();
  const refused = (status: number) =>
    new ApiError(status, { code: "x", message: "No.", params: {}, errors: [] });
  act(() => toastError(refused(401)));
  expect(screen.queryByRole("alert")).toBeNull();
  act(() => toastError(refused(403)));
  after(3_999);
  expect(screen.queryByRole("alert")).not.toBeNull();
  after(1);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says what is wrong with each refused value, and which other service does not answer", () => {
  open();
  const values = ["El peso es de más", "El peso es de más", "Falta el día"];
  const errors = values.map((message) => ({ field: "x", code: "x", message }));
  act(() => toastError(new ApiError(422, { code: "x", message: "Mal.", params: {}, errors })));
  expect(screen.getByText("El peso es de más. Falta el día")).toBeTruthy();
  const down = { code: "pac_unavailable", message: "El PAC no contesta", params: {}, errors: [] };
  act(() => toastError(new ApiError(503, down)));
  expect(screen.getByText("El PAC no contesta")).toBeTruthy();
});

it("names a saved record, with a link to it", () => {
  open();
  act(() => toast.saved(SAVED));
  expect(shown()?.textContent).toBe("Guardado correctamente: Platería Norte");
  expect(link()?.getAttribute("href")).toBe(SAVED.path);
  fireEvent.click(link()!);
  expect(screen.getByRole("navigation").textContent).toBe(SAVED.path);
  expect(shown()).toBeNull();
});

it("names a deleted record, without a link", () => {
  open();
  act(() => toast.deleted("Anillo solitario"));
  expect(shown()?.textContent).toBe("Eliminado correctamente: Anillo solitario");
  expect(link()).toBeNull();
});

it.each([
  ["the drawer is open, in a list that is filtered", `${CUSTOMERS}?search=norte&record=3`, true],
  ["another drawer is open", `${CUSTOMERS}?record=4`, false],
  ["the list alone is open", CUSTOMERS, false],
  ["another page is open", "/home?record=3", false],
])("links to a record that is not on screen: %s", (_case, address, isThere) => {
  open(address);
  act(() => toast.saved(SAVED));
  expect(link() === null).toBe(isThere);
});

it("has no link to a page that the user may not open", () => {
  open("/home", (pathname) => pathname !== CUSTOMERS);
  act(() => toast.saved(SAVED));
  expect(link()).toBeNull();
  expect(shown()?.textContent).toContain(SAVED.name);
});

it("shows a name as plain text, and all of it in its title", () => {
  open();
  const name = `<img src=x onerror=alert(1)> {{name}} $t(forms:yes) ${"x".repeat(300)}`;
  act(() => toast.saved({ ...SAVED, name }));
  expect(shown()?.querySelector("img")).toBeNull();
  expect(link()?.textContent).toBe(name);
  expect(link()?.title).toBe(name);
});

it("stays while the pointer or the focus is on it, and then for three seconds", () => {
  open();
  act(() => toast.saved(SAVED));
  after(2_000);
  fireEvent.pointerEnter(shown()!);
  after(60_000);
  act(focusSaved);
  expect(document.activeElement).toBe(link());
  fireEvent.pointerLeave(shown()!);
  after(60_000);
  expect(shown()).not.toBeNull();
  act(() => link()?.blur());
  after(2_999);
  expect(shown()).not.toBeNull();
  after(1);
  expect(shown()).toBeNull();
});

it("shows messages with different names together, and the same one once", () => {
  open();
  act(() => toast.saved(SAVED));
  act(() => toast.saved({ name: "Platería Sur" }));
  act(() => toast.saved(SAVED));
  expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toEqual([
    "Guardado correctamente: Platería Sur",
    "Guardado correctamente: Platería Norte",
  ]);
});
