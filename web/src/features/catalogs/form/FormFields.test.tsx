import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import Form from "antd/es/form";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { FormFields } from "./FormFields";

interface Values {
  sellPrice: number;
  currency: string;
}

// The first form to render takes seconds on a loaded machine.
vi.setConfig({ testTimeout: 30_000 });

beforeAll(() => startI18n());

it("allows the decimals of the chosen currency and keeps the typed value", async () => {
  render(
    <Form initialValues={{ sellPrice: 1, currency: "BHD" }}>
      <FormFields<Values>
        sections={[
          {
            fields: [
              { name: "sellPrice", kind: "price", currency: ({ currency }) => currency },
              { name: "currency", kind: "text" },
            ],
          },
        ]}
      />
    </Form>,
  );
  const [price, currency] = screen.getAllByRole("textbox");
  const type = (field: HTMLElement | undefined, value: string) =>
    fireEvent.change(field!, { target: { value } });
  type(price, "1.1234567");
  expect(screen.queryByRole("alert")).toBeNull();
  type(currency, "JPY");
  expect((await screen.findByRole("alert")).textContent).toBe("Hasta 4 decimales");
  expect(price).toHaveProperty("value", "1.1234567");
  type(currency, "KWD");
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
