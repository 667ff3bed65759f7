import { fireEvent, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { keepDraft } from "@/shared/form/draft";
import { today } from "@/shared/format/plant";
import { startI18n } from "@/shared/i18n";
import { Refused, showPage, SOON } from "@/testing/pages";
import LotsPage from "./LotsPage";
import MeltDrawer from "./MeltDrawer";
import ReceiptDrawer from "./ReceiptDrawer";
import TransferDrawer from "./TransferDrawer";
import type { Account, Lot } from "./metal.api";

beforeAll(() => startI18n());
beforeEach(() => sessionStorage.clear());

const LOT: Lot = {
  id: 5,
  alloyId: 3,
  alloyName: "Plata ley 925",
  receivedGrams: 1_000,
  leftGrams: 350.25,
  supplier: "Metales del Sur",
  document: "F-88",
  assay: 924.8,
  day: "2026-03-02",
  createdAt: "2026-03-02T15:00:00Z",
  createdBy: "Ana Ruiz",
};

/** Show a drawer in which this was typed before, over what it starts with. */
function typed(name: string, over: object, values: object) {
  keepDraft(name, 7, { over, values: { ...over, ...values } });
}
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const nothing = () => undefined;
const RECEIPT = {
  alloyId: null,
  grams: null,
  supplier: "",
  document: "",
  assay: null,
  day: today(),
};

it("lists the lots with what is left of each", async () => {
  showPage(<LotsPage />, { answers: { "GET /api/metal/lots": [LOT] } });
  const row = (await screen.findByText("Metales del Sur")).closest("tr")!;
  expect([...row.children].map(({ textContent }) => textContent)).toEqual([
    "2026-03-02",
    "Metales del Sur",
    "F-88",
    "Plata ley 925",
    "924.8 ‰",
    "1,000 g",
    "350.25 g",
    "Ana Ruiz",
  ]);
  expect(screen.queryByRole("button", { name: "Recibir lote" })).toBeNull();
});

it("receives a lot into the vault", async () => {
  typed("metal/receipts/new", RECEIPT, {
    alloyId: 3,
    grams: 1_000.5,
    supplier: " Metales del Sur ",
  });
  const onClose = vi.fn<() => void>();
  const { asked } = showPage(<ReceiptDrawer onClose={onClose} />, {
    answers: { "POST /api/metal/lots": LOT },
  });
  press("Recibir en bóveda");
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), SOON);
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    alloyId: 3,
    grams: 1_000.5,
    supplier: "Metales del Sur",
    document: "",
    assay: null,
    day: today(),
  });
});

it.each([
  ["same_document", "Sí, es otro lote", [undefined, true]],
  ["same_document", "No, revisar", [undefined]],
  ["receipt_far", "Sí, el peso es correcto", [undefined, true]],
  ["receipt_far", "No, revisar", [undefined]],
])("asks before a doubtful receipt (%s): %s", async (code, answer, confirmed) => {
  typed("metal/receipts/new", RECEIPT, {
    alloyId: 3,
    grams: 1_000.5,
    supplier: "Metales del Sur",
    document: "F-88",
  });
  const onClose = vi.fn<() => void>();
  const refusal = { code, message: "Ya se recibió el documento F-88" };
  const { asked } = showPage(<ReceiptDrawer onClose={onClose} />, {
    answers: {
      "POST /api/metal/lots": ({ body }: { body: { confirm?: boolean } }) =>
        body.confirm === true ? LOT : new Refused(409, refusal),
    },
  });
  const sent = () =>
    asked
      .filter(({ method }) => method === "POST")
      .map(({ body }) => (body as { confirm?: boolean }).confirm);
  press("Recibir en bóveda");
  await screen.findByText(refusal.message);
  press(answer);
  await vi.waitFor(() => expect(screen.queryByText(refusal.message)).toBeNull(), SOON);
  await vi.waitFor(() => expect(sent()).toEqual(confirmed), SOON);
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(confirmed.length - 1), SOON);
});

it("sends nothing of a receipt without its weight", async () => {
  typed("metal/receipts/new", RECEIPT, { alloyId: 3, supplier: "Metales del Sur" });
  const { asked } = showPage(<ReceiptDrawer onClose={nothing} />, { answers: {} });
  press("Recibir en bóveda");
  expect(await screen.findByRole("alert")).toBeDefined();
  expect(asked.filter(({ method }) => method === "POST")).toEqual([]);
});

const TRANSFER = {
  fromKind: "vault",
  fromUserId: null,
  fromProductionProcessId: null,
  fromName: null,
  toKind: "person",
  toUserId: null,
  toProductionProcessId: null,
  toName: null,
  alloyId: null,
  lotId: null,
  grams: null,
  reason: "",
  notes: "",
};

it("names of each end of a transfer only what its kind needs", async () => {
  typed("metal/transfers/new", TRANSFER, {
    toKind: "dust",
    toUserId: 8,
    toProductionProcessId: 2,
    toName: "Ayer",
    alloyId: 3,
    grams: 4,
  });
  const onClose = vi.fn<() => void>();
  const { asked } = showPage(<TransferDrawer onClose={onClose} />, {
    answers: { "POST /api/metal/entries": { from: { kind: "vault" }, to: { kind: "dust" } } },
  });
  press("Traspasar");
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), SOON);
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    ...TRANSFER,
    toKind: "dust",
    toProductionProcessId: 2,
    alloyId: 3,
    grams: 4,
  });
});

it("says what the account lacks if a transfer takes more, and keeps what was typed", async () => {
  const account = { id: 9, kind: "scrap", name: "", balances: [] } as unknown as Account;
  const over = { ...TRANSFER, fromKind: null, toKind: "vault" };
  typed("metal/transfers/9", over, { alloyId: 3, grams: 4 });
  const onClose = vi.fn<() => void>();
  const message = "Caja de chatarra: faltan 2 g de los 4 g pedidos";
  const { asked } = showPage(<TransferDrawer account={account} onClose={onClose} />, {
    answers: {
      "POST /api/metal/entries": new Refused(409, { code: "not_enough_metal", message }),
    },
  });
  press("Traspasar");
  await vi.waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true), SOON);
  expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
    fromAccountId: 9,
    fromKind: null,
    toKind: "vault",
  });
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLInputElement>("Gramos").value).toBe("4");
});

it("melts several alloys into one", async () => {
  const over = {
    inputs: [{ alloyId: null, grams: null, scrap: false }],
    alloyId: null,
    grams: null,
    reason: "",
  };
  const inputs = [
    { alloyId: 1, grams: 92.5, scrap: false },
    { alloyId: 3, grams: 7.5, scrap: true },
  ];
  typed("metal/meltings/new", over, { inputs, alloyId: 3, grams: 100 });
  const onClose = vi.fn<() => void>();
  const { asked } = showPage(<MeltDrawer onClose={onClose} />, {
    answers: { "POST /api/metal/meltings": { alloyName: "Plata ley 925", grams: 100 } },
  });
  press("Fundir");
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), SOON);
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    inputs,
    alloyId: 3,
    grams: 100,
    reason: "",
  });
});
