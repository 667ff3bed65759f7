import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { CustomerPage, PageAnswerIn, PageLine, PagePaper, PageRequest } from "@/contract";
import { ApiError, asApiError } from "@/shared/http/ApiError";
import { changeLanguage, startI18n } from "@/shared/i18n";
import { aPage, aPageLine, aPageOrder } from "@/testing/customerPages";
import { PageView, type Means } from "./PageView";

beforeAll(() => startI18n(["customerPage"]));
afterEach(() => changeLanguage("es"));

const answer = () => vi.fn<(body: PageAnswerIn) => Promise<unknown>>().mockResolvedValue({});
const save = () => vi.fn<(paper: PagePaper) => Promise<void>>().mockResolvedValue();

function show(page: CustomerPage, means: Partial<Means> = {}) {
  return render(<PageView page={page} means={{ answer: answer(), save: save(), ...means }} />);
}
const showLine = (line: Partial<PageLine>) =>
  show(aPage({ orders: [aPageOrder({ lines: [aPageLine(line)] })] }));

it.each([
  [{ stage: "waiting", step: null, steps: null }, "En espera", "Waiting"],
  [{}, "En producción, paso 3 de 8", "In production, step 3 of 8"],
  [{ step: null, steps: null }, "En producción", "In production"],
  [{ stage: "ready", step: null, steps: null }, "Lista", "Ready"],
  [{ stage: "shipped", step: null, steps: null }, "Enviada", "Shipped"],
  [{ stage: "canceled", step: null, steps: null }, "Cancelada", "Canceled"],
] as const)("says the stage in the customer's words: %#", async (line, spanish, english) => {
  showLine(line);
  expect(screen.getByText(spanish, { selector: "strong" })).toBeTruthy();
  await changeLanguage("en");
  expect(await screen.findByText(english, { selector: "strong" })).toBeTruthy();
});

const AT_8 = { forecast: { latest: "2026-12-08" } };
const AT_4 = { forecast: { latest: "2026-12-04" } };

it.each([
  [
    [{ ...AT_8 }, { ...AT_4 }],
    "Ninguna línea está lista todavía; la siguiente, a más tardar alrededor del 4 dic 2026.",
    "No line is ready yet; the next one by about 4 Dec 2026.",
  ],
  [
    [{ stage: "ready" }, { ...AT_8 }, { stage: "canceled" }],
    "1 de 2 líneas está lista; la siguiente, a más tardar alrededor del 8 dic 2026.",
    "1 of 2 lines is ready; the next one by about 8 Dec 2026.",
  ],
  [
    [{ stage: "ready" }, { stage: "shipped" }, { stage: "waiting" }],
    "2 de 3 líneas están listas o enviadas.",
    "2 of 3 lines are ready or shipped.",
  ],
  [
    [{ stage: "shipped" }, { stage: "shipped" }],
    "2 de 2 líneas están enviadas.",
    "2 of 2 lines are shipped.",
  ],
] as const)("sums up an order of several lines: %#", async (stages, spanish, english) => {
  const lines = stages.map((line, index) => aPageLine({ ...line, position: index + 1 }));
  show(aPage({ orders: [aPageOrder({ lines })] }));
  expect(screen.getByText(spanish)).toBeTruthy();
  await changeLanguage("en");
  expect(await screen.findByText(english)).toBeTruthy();
});

it("leaves the sum of an order to its only line", () => {
  const lines = [aPageLine(AT_8), aPageLine({ position: 2, stage: "canceled" })];
  const { container } = show(aPage({ orders: [aPageOrder({ lines })] }));
  expect(container.textContent).not.toContain("líneas");
});

it("names products and processes in the customer's language", async () => {
  showLine({ processes: [{ name: "Fundición", nameEnglish: "Casting" }] });
  expect(screen.getByRole("heading", { name: "Anillo liso" })).toBeTruthy();
  expect(screen.getByText("Ahora en Fundición")).toBeTruthy();
  await changeLanguage("en");
  expect(await screen.findByRole("heading", { name: "Plain ring" })).toBeTruthy();
  expect(screen.getByText("Now in Casting")).toBeTruthy();
});

it("says about when it is ready, how late that is, and the price only if there is one", () => {
  const { container, unmount } = showLine({
    forecast: { latest: "2026-03-19" },
    lateDays: 6,
    price: 10.5,
    currency: "MXN",
  });
  const said = "Lista a más tardar alrededor del 19 mar 2026, 6 días después de lo acordado";
  expect(screen.getByText(said)).toBeTruthy();
  expect(container.textContent).toContain("$10.50 MXN por pieza");
  unmount();
  const other = showLine({});
  expect(other.container.textContent).not.toMatch(/por pieza|alrededor|después/);
  other.unmount();
  showLine({ lateDays: 1 });
  expect(screen.getByText("1 día después de lo acordado")).toBeTruthy();
});

it("lists shipments with their tracking numbers, or that these follow", () => {
  const lines = [{ position: 1, quantity: 5 }];
  show(
    aPage({
      orders: [
        aPageOrder({
          shipments: [
            { billId: 1, date: "2026-03-02", trackingNumber: "1Z-204", lines },
            { billId: 2, date: "2026-03-09", trackingNumber: "", lines },
          ],
        }),
      ],
    }),
  );
  expect(screen.getByText("Guía 1Z-204")).toBeTruthy();
  expect(screen.getByText("Guía pendiente")).toBeTruthy();
  expect(screen.getAllByText(/Línea 1, 5 piezas/)).toHaveLength(2);
});

it("shows what was said as text, never as markup", () => {
  const text = "<img src=x onerror=alert(1)>";
  const said = {
    id: 1,
    position: 1,
    quantity: null,
    at: "2026-03-02T18:00:00.000Z",
    requestId: null,
    replies: [],
  };
  const { container } = show(
    aPage({ orders: [aPageOrder({ answers: [{ ...said, kind: "comment", text }] })] }),
  );
  expect(screen.getByText(text)).toBeTruthy();
  expect(container.querySelector("img")).toBeNull();
});

it("saves a paper, and says if that failed", async () => {
  const papers: PagePaper[] = [{ billId: 4, number: "F-0004", paper: "invoice" }];
  const failing = save().mockRejectedValueOnce(new Error("No."));
  show(aPage({ orders: [aPageOrder({ papers })] }), { save: failing });
  const button = screen.getByRole("button", { name: "Factura F-0004" });
  await userEvent.click(button);
  expect(screen.getByRole("alert").textContent).toBe("No se pudo cargar");
  await userEvent.click(button);
  expect(failing).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole("alert")).toBeNull();
});

const REQUEST: PageRequest = {
  id: 9,
  position: 1,
  status: "open",
  text: "¿Así la muestra?",
  photo: null,
  photoThumbnail: null,
  at: "2026-03-02T18:00:00.000Z",
};
const asked = (request: Partial<PageRequest> = {}) =>
  aPage({ orders: [aPageOrder({ requests: [{ ...REQUEST, ...request }] })] });
const respond = () => userEvent.click(screen.getByRole("button", { name: "Responder, línea 1" }));
const choose = (name: string) => userEvent.click(screen.getByRole("radio", { name }));
const kinds = () => screen.getAllByRole("radio").map((each) => each.parentElement?.textContent);

it("sends an answer for its line, and gives the focus back", async () => {
  const send = answer();
  show(aPage(), { answer: send });
  await respond();
  expect(document.activeElement).toBe(screen.getAllByRole("radio")[0]);
  await choose("Pedir otra vez");
  await userEvent.type(screen.getByRole("textbox", { name: /Cuántas/ }), "12");
  await userEvent.click(screen.getByRole("button", { name: "Enviar" }));
  expect(send).toHaveBeenCalledExactlyOnceWith({
    key: expect.stringMatching(/^[\w-]{8,64}$/) as string,
    kind: "again",
    salesOrderId: 7,
    position: 1,
    text: "",
    quantity: 12,
    requestId: null,
  });
  expect(screen.getByText("Recibido. El taller ya fue avisado.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Responder, línea 1" }));
});

it("offers an approval only where the workshop asked for it, and sends what it is for", async () => {
  const send = answer();
  const { unmount } = show(aPage());
  await respond();
  expect(kinds()).toEqual(["Pedir un cambio", "Comentar", "Pedir otra vez"]);
  unmount();
  show(asked(), { answer: send });
  expect(screen.getByText("¿Así la muestra?")).toBeTruthy();
  await respond();
  await choose("Aprobar");
  await userEvent.click(screen.getByRole("button", { name: "Enviar" }));
  expect(send.mock.calls[0]?.[0]).toMatchObject({ kind: "approved", requestId: 9 });
});

it("no longer offers an approval that was given", async () => {
  show(asked({ status: "approved" }));
  expect(screen.queryByText("El taller le pide aprobar esto")).toBeNull();
  await respond();
  expect(kinds()).not.toContain("Aprobar");
});

it("shows the workshop's replies as text", () => {
  const replies = [{ id: 3, text: "<b>El lunes</b>", at: "2026-03-03T18:00:00.000Z" }];
  const one = { id: 1, kind: "comment", position: 1, text: "¿Cuándo?", quantity: null } as const;
  const answers = [{ ...one, at: "2026-03-02T18:00:00.000Z", requestId: null, replies }];
  const { container } = show(aPage({ orders: [aPageOrder({ answers })] }));
  expect(container.textContent).toContain("El taller: <b>El lunes</b>");
});

it("says the good pieces, and how many days after the agreed day a line comes", () => {
  const { container, unmount } = showLine({ quantity: 10, quantityGood: 6, lateDays: 11 });
  expect(container.textContent).toContain("6 de 10 piezas");
  expect(container.textContent).toContain("11 días después de lo acordado");
  unmount();
  expect(showLine({}).container.textContent).not.toContain("después");
});

it("folds finished orders away, unless there are no others", () => {
  const finished = aPageOrder({ id: 8, lines: [aPageLine({ stage: "shipped" })] });
  const { container, unmount } = show(aPage({ orders: [aPageOrder(), finished] }));
  expect(container.querySelector("details")?.open).toBe(false);
  expect(screen.getByText("1 pedido terminado")).toBeTruthy();
  unmount();
  expect(show(aPage({ orders: [finished] })).container.querySelector("details")?.open).toBe(true);
});

it("asks for words where an answer says nothing without them", async () => {
  const send = answer();
  show(aPage(), { answer: send });
  await respond();
  await choose("Pedir un cambio");
  await userEvent.click(screen.getByRole("button", { name: "Enviar" }));
  expect(send).not.toHaveBeenCalled();
  expect(screen.getByRole("alert").textContent).toBe("Escriba unas palabras para el taller.");
});

it.each(["0", "1.5", "doce", "10000001"])(
  "refuses %s pieces, and does not change what was typed",
  async (typed) => {
    show(aPage());
    await respond();
    await choose("Pedir otra vez");
    const field = screen.getByRole("textbox", { name: /Cuántas/ }) as HTMLInputElement;
    await userEvent.type(field, typed);
    expect(field.value).toBe(typed);
    const send = screen.getByRole("button", { name: "Enviar" }) as HTMLButtonElement;
    expect(send.disabled).toBe(true);
  },
);

it("keeps what was typed if sending fails, and sends the same key again with the same words", async () => {
  const refused = new ApiError(422, {
    code: "invalid_fields",
    message: "Revise los campos",
    params: {},
    errors: [{ field: "text", code: "too_long", message: "Es demasiado largo" }],
  });
  const send = answer()
    .mockRejectedValueOnce(asApiError(new TypeError("network")))
    .mockRejectedValueOnce(refused);
  show(aPage(), { answer: send });
  await respond();
  await choose("Comentar");
  const field = screen.getByRole("textbox", { name: "Su comentario" }) as HTMLTextAreaElement;
  await userEvent.type(field, "Gracias");
  for (const said of [/Sin conexión/, /Es demasiado largo/]) {
    await userEvent.click(screen.getByRole("button", { name: "Enviar" }));
    expect(screen.getByRole("alert").textContent).toMatch(said);
    expect(field.value).toBe("Gracias");
  }
  const keys = () => send.mock.calls.map(([{ key }]) => key);
  expect(keys()[0]).toBe(keys()[1]);
  await userEvent.type(field, " a todos");
  await userEvent.click(screen.getByRole("button", { name: "Enviar" }));
  expect(new Set(keys()).size).toBe(2); // what says something else is another answer
});

it("keeps an open form while the page is loaded again", async () => {
  const means = { answer: answer(), save: save() };
  const { rerender } = render(<PageView page={aPage()} means={means} />);
  await respond();
  await choose("Comentar");
  await userEvent.type(screen.getByRole("textbox", { name: "Su comentario" }), "Gracias");
  const moved = aPage({ orders: [aPageOrder({ lines: [aPageLine({ step: 4 })] })] });
  rerender(<PageView page={moved} means={means} />);
  const field = screen.getByRole("textbox", { name: "Su comentario" }) as HTMLTextAreaElement;
  expect(field.value).toBe("Gracias");
});

it("offers no change once a line is ready", async () => {
  showLine({ stage: "ready", step: null, steps: null });
  await respond();
  expect(kinds()).toEqual(["Comentar", "Pedir otra vez"]);
});

it("says so if there are no orders, or more than are shown", () => {
  const { unmount } = show(aPage({ orders: [] }));
  expect(screen.getByText("Aún no hay pedidos")).toBeTruthy();
  unmount();
  show(aPage({ more: true }));
  expect(screen.getByText(/pedidos anteriores/)).toBeTruthy();
});
