import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Refused, showPage } from "@/testing/pages";
import { ScanButton } from "./ScanButton";

beforeAll(() => startI18n());

const QR = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOP";
const UNKNOWN = "El código no es de una línea de este taller";

function show() {
  const { asked, router } = showPage(
    <>
      <input type="search" aria-label="Buscar" />
      <ScanButton />
    </>,
    {
      answers: {
        "POST /api/scan": ({ body }: { body: { code: string } }) =>
          [QR, "4-2"].includes(body.code)
            ? { salesOrderId: 4, position: 2 }
            : new Refused(422, { code: "unknown_code", message: UNKNOWN }),
      },
    },
  );
  return { codes: () => asked.map(({ body }) => (body as { code: string }).code), router };
}

function scan(text: string, end: string | null, target: Element = document.body) {
  for (const key of text) fireEvent.keyDown(target, { key });
  if (end !== null) fireEvent.keyDown(target, { key: end });
}

it.each([
  ["4'2", "Enter"],
  [`]Q1${QR}`, "Tab"],
  [QR, null],
])("opens the line of the code %s that ends with %s", async (code, end) => {
  const { router } = show();
  scan(code, end);
  const path = "/operations/sales-order/4/position/2";
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
});

it("opens the line of a QR code that is scanned into a field, but of no short text", async () => {
  const { codes, router } = show();
  const field = screen.getByLabelText("Buscar");
  scan("4-2", "Tab", field);
  scan(QR, "Enter", field);
  await waitFor(() => expect(router.state.location.pathname).toMatch(/position\/2$/));
  expect(codes()).toEqual([QR]);
});

it("keeps its dialog open if a typed code is refused, and says why", async () => {
  const { codes, router } = show();
  await userEvent.click(screen.getByRole("button", { name: "Escanear" }));
  const field = await screen.findByLabelText("Código de la hoja");
  expect(await screen.findByText("No hay cámara disponible.", { exact: false })).toBeTruthy();
  await userEvent.type(field, "https://example.com/1");
  await userEvent.click(screen.getByRole("button", { name: "Abrir" }));
  await waitFor(() => expect(codes()).toEqual(["https://example.com/1"]));
  expect(screen.getByRole("dialog")).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, "4-2{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toMatch(/position\/2$/));
});
