import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { ApiError } from "@/shared/http/ApiError";
import { api } from "@/shared/http/client";
import type { GridLine } from "./lines";
import { readPasted, sheetOf } from "./sheet";
import SheetPreview from "./SheetPreview";

// jsdom cannot scroll a table.
vi.mock("./SheetTable", () => ({ SheetTable: () => null }));

const ring = { id: 1, key: "AN-1", name: "Anillo liso", nameEnglish: "", thumbnail: null };

beforeAll(() => startI18n());

it("reports no unknown products if the request failed, and sends it again", async () => {
  const failure = new ApiError(503, { code: "unavailable", message: "…", params: {}, errors: [] });
  const asked = vi.spyOn(api, "POST").mockRejectedValueOnce(failure);
  const accepted = vi.fn<(lines: GridLine[]) => void>();
  const kept = { id: "1", sheet: sheetOf(readPasted("AN-1\t3")), added: [], left: null };
  const nothing = () => undefined;
  render(
    <SheetPreview
      kept={kept}
      room={9}
      reading={false}
      onChoose={undefined}
      onKeep={nothing}
      onAccept={accepted}
      onClose={nothing}
    />,
  );
  await screen.findByRole("alert");
  expect(screen.queryByText(/ningún producto/)).toBeNull();
  const add = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Agregar/ });
  expect(add().disabled).toBe(true);
  asked.mockResolvedValueOnce({
    data: [{ text: "AN-1", products: [ring] }],
    response: new Response(),
  });
  await userEvent.click(screen.getByRole("button", { name: "Intentar de nuevo" }));
  await vi.waitFor(() => expect(add().disabled).toBe(false));
  await userEvent.click(add());
  expect(accepted.mock.calls[0]?.[0]).toMatchObject([{ item: ring, quantity: "3" }]);
});
