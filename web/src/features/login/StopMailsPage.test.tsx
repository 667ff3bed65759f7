import { fireEvent, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Refused, showPage } from "@/testing/pages";
import StopMailsPage from "./StopMailsPage";

beforeAll(() => startI18n());

it("stops nothing before the answer, and says that a link is not valid", async () => {
  const refused = new Refused(404, { code: "not_found", message: "…" });
  const path = "/api/notices/unsubscribe/";
  const { asked } = showPage(<StopMailsPage />, { answers: { [`POST ${path}`]: refused } });
  const stop = await screen.findByRole("button", { name: "Ya no enviarlos" });
  expect(asked).toEqual([]);
  fireEvent.click(stop);
  expect((await screen.findByRole("alert")).textContent).toMatch(/no es válido/);
});
