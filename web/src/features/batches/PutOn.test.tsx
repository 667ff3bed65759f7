/** Scans on the page of a batch: none is lost, and each refusal is named. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Batch, OfferedLine } from "@/contract";
import { refusalOf } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { holdProcesses } from "@/entities/processes";
import { aBatch } from "@/testing/batches";
import type * as calls from "./batches.api";
import { PutOn } from "./PutOn";

/** jsdom scrolls nothing. */
const scrolled = vi.fn<() => void>();
Element.prototype.scrollIntoView = scrolled;

type Line = Batch["lines"][number];
type Asked = { salesOrderId: number; position: number; quantity: number | null };

const server = vi.hoisted(() => ({
  asked: [] as {
    line: Asked;
    key: string;
    answer: (batch: unknown) => void;
    refuse: (why: unknown) => void;
  }[],
  offered: [] as unknown[],
}));
vi.mock("./batches.api", async (load) => ({
  ...(await load<typeof calls>()),
  useOfferedLines: () => ({ data: server.offered, error: undefined, mutate: () => undefined }),
  putOn: (headers: { "Idempotency-Key": string }, _id: number, line: Asked) =>
    new Promise((answer, refuse) => {
      server.asked.push({ line, key: headers["Idempotency-Key"], answer, refuse });
    }),
}));
vi.mock("@/shared/http/client", async (load) => ({
  ...(await load<object>()),
  api: { POST: (_path: string, { body }: { body: { code: string } }) => body.code },
  call: async (code: string) => {
    const [salesOrderId, position] = code.split("-").map(Number);
    return { salesOrderId, position };
  },
}));

let clock = 0;
/** Type a code as a scanner does, into what has the focus. */
function scan(code: string) {
  clock += 300;
  for (const key of [...code, "Enter"]) {
    clock += 3;
    const target = document.activeElement ?? document.body;
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, "timeStamp", { value: clock });
    fireEvent(target, event);
    if (key !== "Enter" && target instanceof HTMLInputElement) {
      fireEvent.change(target, { target: { value: target.value + key } });
    }
  }
}

const onBatch = (order: number): Batch => {
  const [line] = aBatch().lines as [Line];
  const added = { ...line, salesOrderId: order, customerSalesOrderId: `PO-${order}`, position: 1 };
  return aBatch({ lines: [...aBatch().lines, { ...added, quantity: 6 }] });
};
const asked = () => server.asked.map(({ line }) => line.salesOrderId);
const log = () => screen.getByRole("list", { name: "Lo que se escaneó" });
const answered = async (place: number) => {
  await waitFor(() => expect(server.asked.length).toBeGreaterThan(place));
  const one = server.asked[place]!;
  await act(async () => one.answer(onBatch(one.line.salesOrderId)));
};

beforeAll(() => startI18n());
beforeEach(() => {
  scrolled.mockClear();
  server.asked = [];
  server.offered = [];
  holdProcesses([{ id: 1, name: "Cera", nameEnglish: "", order: 1, weighs: "no", active: true }]);
});
const open = () => render(<PutOn batch={aBatch()}>En la tanda</PutOn>);

it("puts five quick scans on in order, while earlier ones are under way", async () => {
  open();
  for (const order of [21, 22, 23, 24, 25]) scan(`${order}-1`);
  expect(within(log()).getAllByText("Poniéndola…")).toHaveLength(5);
  for (let place = 0; place < 5; place += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each waits for the one before
    await answered(place);
  }
  expect(asked()).toEqual([21, 22, 23, 24, 25]);
  await waitFor(() => expect(log().textContent).toBe("PO-25 · línea 1 En la tanda: 6 piezas"));
});

it("takes a scan while a field has the focus, and leaves nothing in it", async () => {
  open();
  const field = screen.getByRole<HTMLInputElement>("searchbox");
  field.focus();
  scan("21-1");
  await answered(0);
  expect(asked()).toEqual([21]);
  expect(field.value).toBe("");
});

it("names a refusal, which holds up no later scan and stays until it is removed", async () => {
  open();
  scan("21-1");
  scan("22-1");
  await waitFor(() => expect(server.asked).toHaveLength(1));
  const why = { code: "other_alloy", message: "Es de otra aleación que la tanda" };
  await act(async () => server.asked[0]!.refuse(refusalOf(409, why)));
  await answered(1);
  expect(screen.getByRole("alert").textContent).toContain("21-1: Es de otra aleación que la tanda");
  expect(scrolled).toHaveBeenCalledOnce();
  expect(within(log()).getByText("PO-22 · línea 1")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Quitar el aviso de 21-1" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

it("sends a scan again with its key if the network failed", async () => {
  open();
  scan("21-1");
  await waitFor(() => expect(server.asked).toHaveLength(1));
  await act(async () => server.asked[0]!.refuse(refusalOf(503, { code: "x", message: "No" })));
  await userEvent.click(screen.getByRole("button", { name: "Intentar de nuevo" }));
  await answered(1);
  expect(server.asked[1]!.key).toBe(server.asked[0]!.key);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("names a line that is on the batch already by its order", async () => {
  open();
  scan("1-2");
  await waitFor(() => expect(server.asked).toHaveLength(1));
  const why = { code: "already_on_batch", message: "Ya está en la tanda" };
  await act(async () => server.asked[0]!.refuse(refusalOf(409, why)));
  expect(screen.getByRole("alert").textContent).toContain("PO-1 · línea 2: Ya está en la tanda");
});

it("forgets why a line chosen from the list was refused once another is on the batch", async () => {
  const line = {
    customerName: "",
    itemKey: "",
    itemName: "",
    itemNameEnglish: "",
    thumbnail: null,
  };
  const at = { position: 1, quantity: 1, ready: 1, elsewhere: [], deliveryDate: null, late: false };
  const offered = (id: number) => ({
    ...line,
    ...at,
    lineId: id,
    salesOrderId: id,
    customerSalesOrderId: `PO-${id}`,
  });
  server.offered = [offered(9), offered(8)];
  open();
  await userEvent.click(screen.getByRole("button", { name: "Poner 1: PO-9 · línea 1" }));
  await waitFor(() => expect(server.asked).toHaveLength(1));
  await act(async () => server.asked[0]!.refuse(refusalOf(409, { code: "x", message: "No" })));
  expect(screen.getByRole("alert").textContent).toContain("PO-9 · línea 1: No");
  await userEvent.click(screen.getByRole("button", { name: "Poner 1: PO-8 · línea 1" }));
  await answered(1);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says of each candidate how many pieces are ready and where the others are", async () => {
  const offered: OfferedLine = {
    lineId: 9,
    salesOrderId: 9,
    position: 1,
    customerSalesOrderId: "PO-9",
    customerName: "Platería Norte",
    itemKey: "A-1",
    itemName: "Anillo",
    itemNameEnglish: "",
    thumbnail: null,
    quantity: 10,
    ready: 4,
    elsewhere: [
      { productionProcessId: 1, quantity: 2, inside: false },
      { productionProcessId: 1, quantity: 4, inside: true },
    ],
    deliveryDate: null,
    late: false,
  };
  server.offered = [offered, { ...offered, lineId: 8, salesOrderId: 8, ready: 0 }];
  open();
  const [some, none] = screen.getAllByRole("listitem");
  expect(some!.textContent).toContain("Listas: 4Espera Cera: 2En Cera: 4");
  expect(none!.textContent).not.toContain("Listas");
  // What is ready is proposed; without any, all that may be put on.
  expect(within(some!).getByRole("button", { name: "Poner 4: PO-9 · línea 1" })).toBeTruthy();
  expect(within(none!).getByRole("button", { name: "Poner 10: PO-9 · línea 1" })).toBeTruthy();
  // What is on the batch stands above them.
  const { textContent } = document.body;
  expect(textContent.indexOf("En la tanda")).toBeLessThan(textContent.indexOf("Listas: 4"));
});
