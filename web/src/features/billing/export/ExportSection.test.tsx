import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import type { Cfdi, Delivery, Origin, Settlements } from "@/contract";
import { openGap } from "@/shared/form/gap";
import { startI18n } from "@/shared/i18n";
import { aBill } from "@/testing/bills";
import { Refused, showPage, type Answers } from "@/testing/pages";
import ExportSection from "./ExportSection";

const PAPERS = ["Lista de empaque", "Factura comercial"];
const TERMS = "Términos y cajas";
const DOMESTIC: Origin = {
  abroad: false,
  treaty: false,
  gaps: [],
  certified: 0,
  lines: 1,
  dutyPercent: null,
  duty: null,
  certificate: null,
};

const CFDI: Cfdi = {
  deliveryId: 7,
  settlementId: null,
  gaps: [],
  state: null,
  uuid: null,
  sealedAt: null,
  stampedAt: null,
  csd: true,
  pac: false,
  sent: false,
  canceling: false,
};

const PAYMENT: Settlements["settlements"][number] = {
  id: 4,
  kind: "payment",
  number: 1,
  at: "2026-03-03T18:00:00Z",
  paymentForm: "03",
  currency: "USD",
  amount: 30,
  rate: 18.5,
  settled: 30,
  balanceBefore: 87,
  balanceAfter: 57,
  notes: "",
  state: null,
  uuid: null,
  canceling: false,
};
const OWED: Settlements = {
  deliveryId: 7,
  currency: "USD",
  total: 87,
  balance: 87,
  settlements: [],
};

beforeAll(() => startI18n());

function show(
  bill: Partial<Delivery>,
  origin: Partial<Origin> = {},
  cfdi: Cfdi = CFDI,
  answers: Answers = {},
) {
  const { asked } = showPage(<ExportSection bill={aBill(bill)} />, {
    permissions: ["UpdateDelivery", "UpdateItem", "UpdateCompany", "ReportListBills"],
    answers: {
      "GET /api/deliveries/7/origin": { ...DOMESTIC, ...origin },
      "GET /pdf/cfdi/7": cfdi,
      "GET /api/deliveries/7/settlements": OWED,
      ...answers,
    },
  });
  return asked;
}

const buttons = () => screen.getAllByRole("button").map(({ textContent }) => textContent);

it("is folded on a bill without a customs regime to a customer at home", async () => {
  const asked = show({ customRegime: "" });
  await expect.poll(() => asked.length).toBe(1);
  expect(buttons()).toEqual([TERMS]);
  expect(screen.queryByText("Falta")).toBeNull();
});

const { export: empty } = aBill();

it.each<[string, Partial<Delivery>]>([
  ["a customs regime", { customRegime: "EXD" }],
  ["terms", { customRegime: "", export: { ...empty, incoterm: "FCA" } }],
])("offers export papers on a bill with %s, and lists what they lack", (_, bill) => {
  show(bill);
  expect(buttons()).toEqual(expect.arrayContaining([TERMS, ...PAPERS]));
  expect(screen.getByText("Falta")).toBeTruthy();
});

const ABROAD = { abroad: true, treaty: true } as const;
const SILENT = { code: "criterion_missing", at: "product", id: 3, name: "Anillo" } as const;

it("says what goods pay that are not certified, and opens the product that lacks its criterion", async () => {
  show({ customRegime: "" }, { ...ABROAD, gaps: [SILENT], dutyPercent: 5.5, duty: 4.13 });
  expect(
    await screen.findByText("Lo que no se certifica paga 5.5 % al entrar: $4.13 USD"),
  ).toBeTruthy();
  const certificate = screen.getByText("Certificado de origen").closest("button");
  expect(certificate?.disabled).toBe(true);
  await userEvent.click(screen.getByText("decir si Anillo es originario"));
  expect(openGap.get()).toEqual({ catalog: "items", id: 3, customs: true });
});

it("says without a rate that duty is due, and nothing where all lines are certified", async () => {
  show({}, ABROAD);
  expect(await screen.findByText(/paga arancel al entrar/)).toBeTruthy();
});

it("offers the certificate of a bill whose lines are certified", async () => {
  show({}, { ...ABROAD, certified: 1 });
  expect(await screen.findByText("1 de 1 líneas certificadas como originarias")).toBeTruthy();
  expect(screen.getByText("Certificado de origen").closest("button")?.disabled).toBe(false);
  expect(screen.queryByText(/paga arancel/)).toBeNull();
});

it("asks nothing about origin for who may not change the bill", () => {
  const actions = { ...aBill().actions, export: false, numbers: false };
  const asked = show({ actions, customRegime: "EXD" });
  expect(asked).toEqual([]);
});

it("lists what the electronic invoice lacks, and opens where it is mended", async () => {
  const gaps: Cfdi["gaps"] = [
    { code: "rate_missing", at: "bill", id: 7, name: "F-0007" },
    { code: "weight_missing", at: "product", id: 3, name: "Anillo" },
  ];
  show({}, ABROAD, { ...CFDI, gaps });
  expect(await screen.findByText("Aún no se puede hacer")).toBeTruthy();
  expect(screen.queryByText("Sellar")).toBeNull();
  await userEvent.click(screen.getByText("los gramos de una pieza de Anillo"));
  expect(openGap.get()).toEqual({ catalog: "items", id: 3, customs: true });
  await userEvent.click(screen.getByText("el tipo de cambio y su día"));
  expect(await screen.findByLabelText("Pesos por dólar")).toBeTruthy();
});

it("seals a complete invoice, and takes its stamped file", async () => {
  const sealed = { ...CFDI, state: "sealed", sealedAt: "2026-03-14T15:00:00Z" };
  const stamped = { ...sealed, state: "stamped", uuid: "5FB2822E" };
  const asked = show({ status: "Billed" }, ABROAD, CFDI, {
    "POST /pdf/cfdi/7/seal": sealed,
    "POST /pdf/cfdi/7/stamped": stamped,
    "POST /pdf/create-cfdi": () => new Promise(() => undefined),
  });
  await userEvent.click(await screen.findByText("Sellar"));
  expect(await screen.findByText(/Sellado el/)).toBeTruthy();
  expect(screen.getByText("Quitar el sello")).toBeTruthy();
  const file = new File(["<xml/>"], "timbrada.xml", { type: "text/xml" });
  await userEvent.upload(screen.getByLabelText<HTMLInputElement>("Subir XML timbrado"), file);
  expect(await screen.findByText("Timbrado: 5FB2822E")).toBeTruthy();
  expect(asked.at(-1)?.body).toEqual({ xml: "<xml/>" });
  await userEvent.click(screen.getByText("Ver en PDF"));
  await expect.poll(() => asked.at(-1)?.body).toEqual({ deliveryId: 7, format: "pdf" });
  expect(screen.queryByText("Quitar el sello")).toBeNull();
});

it("stays on screen while it is checked again, after a file that is no stamped XML", async () => {
  const sealed: Cfdi = { ...CFDI, state: "sealed", sealedAt: "2026-03-14T15:00:00Z" };
  let checks = 0;
  show({ status: "Billed" }, ABROAD, sealed, {
    "GET /pdf/cfdi/7": () => {
      checks += 1;
      return checks === 1 ? sealed : new Promise(() => undefined);
    },
    "POST /pdf/cfdi/7/stamped": new Refused(422, { code: "other_invoice", message: "No es suya" }),
  });
  const file = new File(["<xml/>"], "otra.xml", { type: "text/xml" });
  const field = await screen.findByLabelText<HTMLInputElement>("Subir XML timbrado");
  await userEvent.upload(field, file);
  await expect.poll(() => checks).toBe(2);
  expect(screen.getByText(/Sellado el/)).toBeTruthy();
});

it("refuses the day of a payment that is still to come", async () => {
  const stamped: Cfdi = { ...CFDI, state: "stamped", uuid: "5FB2822E" };
  const asked = show({ status: "Billed", currency: "USD" }, ABROAD, stamped, {
    "POST /api/deliveries/7/settlements": OWED,
  });
  await userEvent.click(await screen.findByText("Anotar un pago"));
  await userEvent.type(await screen.findByLabelText("Pesos por dólar"), "18.5");
  const day = screen.getByLabelText("Día");
  await userEvent.clear(day);
  await userEvent.type(day, "2999-01-01");
  await userEvent.click(screen.getByText("Guardar"));
  expect(await screen.findByText("El día aún no llega")).toBeTruthy();
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
  await userEvent.clear(day);
  await userEvent.type(day, "2026-03-03");
  await userEvent.click(screen.getByText("Guardar"));
  await expect
    .poll(() => asked.find(({ method }) => method === "POST")?.body)
    .toMatchObject({
      at: "2026-03-03T18:00:00.000Z",
    });
});

it("takes back the seal of a bill with closed terms, and checks it again", async () => {
  const answers = { "DELETE /pdf/cfdi/7/seal": aBill() };
  const sealed: Cfdi = { ...CFDI, state: "sealed", sealedAt: "2026-03-14T15:00:00Z" };
  const actions = { ...aBill().actions, export: false };
  const asked = show({ status: "Billed", actions }, ABROAD, sealed, answers);
  await userEvent.click(await screen.findByText("Quitar el sello"));
  const checks = () =>
    asked.filter(({ method, path }) => method === "GET" && path === "/pdf/cfdi/7");
  await expect.poll(() => checks().length).toBe(2);
  expect(screen.queryByText(TERMS)).toBeNull();
});

it("offers no seal for a company without a certificate", async () => {
  show({}, ABROAD, { ...CFDI, csd: false });
  expect(await screen.findByText("Descargar XML sin sello")).toBeTruthy();
  expect(screen.queryByText("Sellar")).toBeNull();
});

it("notes a payment of what is owed, and seals its complement once the invoice is stamped", async () => {
  const stamped: Cfdi = { ...CFDI, state: "stamped", uuid: "5FB2822E" };
  const noted = { ...OWED, balance: 57, settlements: [PAYMENT] };
  const sealed = { ...noted, settlements: [{ ...PAYMENT, state: "sealed" }] };
  let owed: unknown = OWED;
  const asked = show({ status: "Billed", currency: "USD" }, ABROAD, stamped, {
    "GET /api/deliveries/7/settlements": () => owed,
    "POST /api/deliveries/7/settlements": () => (owed = noted),
    "POST /pdf/cfdi/7/seal": () => {
      owed = sealed;
      return { ...CFDI, settlementId: 4, state: "sealed" };
    },
  });
  await userEvent.click(await screen.findByText("Anotar un pago"));
  const amount = await screen.findByLabelText("Importe");
  await userEvent.clear(amount);
  await userEvent.type(amount, "30");
  await userEvent.type(screen.getByLabelText("Pesos por dólar"), "18.5");
  await userEvent.click(screen.getByText("Guardar"));
  expect(await screen.findByText(/Pago 1 del 2026-03-03/)).toBeTruthy();
  const sent = asked.find(({ method, path }) => method === "POST" && path.includes("settlements"));
  expect(sent?.body).toMatchObject({
    kind: "payment",
    amount: 30,
    rate: 18.5,
    currency: "USD",
    paymentForm: "03",
  });
  await userEvent.click(await screen.findByText("Sellar"));
  expect(await screen.findByText("Con sello, sin timbre")).toBeTruthy();
  expect(screen.queryByText("Quitar")).toBeNull();
});

it("offers no payment of a bill that was paid at once, and no paper without a stamped invoice", async () => {
  const { export: terms } = aBill();
  const paid = { ...terms, incoterm: "FCA", paymentForm: "03" };
  show(
    { status: "Billed", currency: "USD", export: paid },
    ABROAD,
    { ...CFDI, csd: true },
    {
      "GET /api/deliveries/7/settlements": { ...OWED, settlements: [PAYMENT] },
    },
  );
  expect(await screen.findByText("Hacer una nota de crédito")).toBeTruthy();
  expect(screen.queryByText("Anotar un pago")).toBeNull();
  expect(screen.getByText("Quitar")).toBeTruthy();
  expect(screen.getAllByText("Sellar")).toHaveLength(1);
});

it("says of the paper of a payment that the SAT was asked to cancel it", async () => {
  const row = { ...PAYMENT, state: "stamped", uuid: "7FB2822E", canceling: true };
  show(
    { status: "Billed" },
    ABROAD,
    { ...CFDI, state: "stamped", uuid: "5FB2822E" },
    {
      "GET /api/deliveries/7/settlements": { ...OWED, settlements: [row] },
    },
  );
  expect(await screen.findByText("Cancelación pedida al SAT: 7FB2822E")).toBeTruthy();
  expect(screen.queryByText("Timbrado: 7FB2822E")).toBeNull();
});

it("lets a PAC stamp and cancel, and asks the SAT while the cancellation is open", async () => {
  const sealed: Cfdi = { ...CFDI, state: "sealed", sealedAt: "2026-03-14T15:00:00Z", pac: true };
  const stamped: Cfdi = { ...sealed, state: "stamped", uuid: "5FB2822E" };
  let now: Cfdi = sealed;
  const asked = show({ status: "Billed" }, ABROAD, sealed, {
    "GET /pdf/cfdi/7": () => now,
    "POST /pdf/cfdi/7/stamp": () => (now = stamped),
    "POST /pdf/cfdi/7/cancel": () => {
      now = { ...stamped, canceling: true };
      return aBill();
    },
    "POST /pdf/cfdi/7/status": () => {
      now = { ...CFDI, pac: true };
      return aBill();
    },
  });
  await userEvent.click(await screen.findByText("Timbrar"));
  expect(await screen.findByText("Timbrado: 5FB2822E")).toBeTruthy();
  const cancel = { name: "Cancelar ante el SAT" };
  await userEvent.click(screen.getByRole("button", cancel));
  const drawer = within(await screen.findByRole("dialog"));
  expect(drawer.queryByLabelText(/Folio del CFDI que lo sustituye/)).toBeNull();
  await userEvent.click(drawer.getByRole("button", cancel));
  expect(await screen.findByText("Cancelación pedida al SAT: 5FB2822E")).toBeTruthy();
  expect(asked.find(({ path }) => path.endsWith("/cancel"))?.body).toEqual({ reason: "02" });
  await userEvent.click(screen.getByText("Preguntar al SAT"));
  expect(await screen.findByText("Completo, sin sello")).toBeTruthy();
});

it("says that a PAC has not answered, after a stamp that failed", async () => {
  const sealed: Cfdi = { ...CFDI, state: "sealed", sealedAt: "2026-03-14T15:00:00Z", pac: true };
  let now: Cfdi = sealed;
  show({ status: "Billed" }, ABROAD, sealed, {
    "GET /pdf/cfdi/7": () => now,
    "POST /pdf/cfdi/7/stamp": () => {
      now = { ...sealed, sent: true };
      return new Refused(503, { code: "pac_unavailable", message: "El PAC no contesta" });
    },
  });
  await userEvent.click(await screen.findByText("Timbrar"));
  expect(await screen.findByText(/El PAC no ha contestado/)).toBeTruthy();
});
