import { afterEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { showApp } from "@/testing/app";
import { anOrder } from "@/testing/lines";

afterEach(() => vi.restoreAllMocks());

it("writes to the customer in their language, and has its options above four buttons in two rows", async () => {
  const replace = vi.fn<(address: string) => void>();
  vi.spyOn(window, "open").mockReturnValue({ opener: null, location: { replace } } as never);
  await showApp({
    at: "/operations/sales-orders/1",
    permissions: ["ListSalesOrders", "ListOrders", "ManageCustomerLinks"],
    answers: {
      "GET /api/sales-order/1": anOrder(),
      "GET /api/customer-links": [],
      "GET /api/customer-answers": [],
      "POST /api/customer-links": { address: "http://localhost/#/c/abc" },
    },
  });
  await page.getByRole("button", { name: "Compartir", exact: true }).click();
  const ways = page.getByRole("group", { name: "Enviar por" });
  await expect.element(ways).toBeVisible();
  const tops = [...ways.element().querySelectorAll("button")].map(
    (button) => button.getBoundingClientRect().top,
  );
  expect(tops[0]).toBe(tops[1]);
  expect(tops[2]).toBe(tops[3]);
  const language = page.getByRole("radiogroup", { name: "Idioma del mensaje y del correo" });
  expect(language.element().getBoundingClientRect().bottom).toBeLessThan(tops[0]!);
  await language.getByText("English").click();
  await ways.getByRole("button", { name: "WhatsApp" }).click();
  await expect.poll(() => replace.mock.calls.length).toBe(1);
  const text = new URL(replace.mock.lastCall![0]).searchParams.get("text");
  expect(text).toMatch(/^Follow your order .+ here: http:\/\/localhost\/#\/c\/abc$/);
  // The tests' page is at another port, as a workshop that is opened by an IP.
  await expect.element(page.getByText(/El enlace lleva a http:\/\/localhost,/)).toBeVisible();
});

const EDITABLE = {
  at: "/operations/sales-orders/1",
  permissions: ["ListSalesOrders", "UpdateSalesOrder", "ManageCustomerLinks"] as const,
  answers: {
    "GET /api/sales-order/1": anOrder({ actions: { edit: true, delete: false } }),
    "GET /api/customer-links": [],
    "GET /api/customer-answers": [],
  },
};

it("opens by the key c, which its button shows, and not while somebody types", async () => {
  await showApp(EDITABLE);
  const share = page.getByRole("button", { name: "Compartir", exact: true });
  await expect.element(share).toHaveTextContent("Compartirc");
  await userEvent.keyboard("e");
  const notes = page.getByRole("dialog").getByLabelText("Notas");
  await notes.fill("");
  await userEvent.keyboard("c");
  await expect.element(notes).toHaveValue("c");
  expect(page.getByRole("dialog").elements()).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  await page.getByRole("button", { name: "Salir sin guardar" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await userEvent.keyboard("c");
  await expect.element(page.getByRole("dialog", { name: /^Compartir/ })).toBeVisible();
});

it("is beside one button that edits the order, from which one comes to its lines", async () => {
  await showApp(EDITABLE);
  await page.getByRole("button", { name: "Editar orden" }).click();
  expect(page.getByRole("button", { name: /ditar/ }).elements()).toHaveLength(1);
  await page.getByRole("dialog").getByRole("link", { name: "Agregar o editar líneas" }).click();
  await expect.poll(() => window.location.hash).toBe("#/operations/sales-orders/1/lines");
});
