import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aBill } from "@/testing/bills";
import { BillDialog } from "./BillDialog";

beforeAll(() => startI18n());
afterEach(cleanup);

const nothing = () => undefined;

it("starts on its answer if nothing is missing, so that Enter does not close it", async () => {
  render(
    <MemoryRouter>
      <BillDialog bill={aBill()} busy={false} refusal={null} onAccept={nothing} onClose={nothing}>
        {false}
        {false}
      </BillDialog>
    </MemoryRouter>,
  );
  const accept = screen.getByRole("button", { name: "Sí, facturar" });
  await expect.poll(() => document.activeElement).toBe(accept);
});
