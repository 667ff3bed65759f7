import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import Form from "antd/es/form";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aBill } from "@/testing/bills";
import { BoxFields } from "./BoxFields";
import { boxOf, leftOf, metalOf } from "./boxes";

beforeAll(() => startI18n());

const SAYS = "El libro dice 1.234 kg de metal";

function show(metalGrams: number | null) {
  const lines = aBill().lines.map((line) => ({ ...line, metalGrams }));
  const left = leftOf({ lines }, []);
  const box = boxOf(left);
  render(
    <Form initialValues={{ boxes: [box] }}>
      <Form.List name="boxes">
        {() => (
          <BoxFields
            name={0}
            left={left}
            metalKg={metalOf(lines, box.lines)}
            onRemove={() => undefined}
          />
        )}
      </Form.List>
    </Form>,
  );
  return screen.getByLabelText("Peso neto");
}

it("proposes the ledger's metal as the net weight, and says if a typed one is far from it", async () => {
  const net = show(1234);
  expect(screen.getByText("Según el libro: 1.234 kg de metal")).toBeTruthy();
  fireEvent.change(net, { target: { value: "1.3" } });
  expect(await screen.findByText(SAYS)).toBeTruthy();
  fireEvent.change(net, { target: { value: "1.24" } });
  await waitFor(() => expect(screen.queryByText(SAYS)).toBeNull());
  fireEvent.change(net, { target: { value: "" } });
  fireEvent.blur(net);
  expect(screen.queryByRole("alert")?.textContent ?? "").toBe("");
});

it("proposes nothing without metal in the ledger, and asks for the weight", () => {
  const net = show(null);
  expect(screen.queryByText(/libro/)).toBeNull();
  fireEvent.blur(net);
  expect(screen.getAllByRole("alert").some(({ textContent }) => textContent !== "")).toBe(true);
});
