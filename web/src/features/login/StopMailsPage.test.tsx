import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Refused, showPage } from "@/testing/pages";
import StopMailsPage from "./StopMailsPage";

beforeAll(() => startI18n());
afterEach(cleanup);

it("stops nothing before the answer, and says that a link is not valid", async () => {
  const refused = new Refused(404, { code: "not_found", message: "…" });
  const path = "/api/notices/unsubscribe/";
  const { asked } = showPage(<StopMailsPage />, { answers: { [`POST ${path}`]: refused } });
  const stop = await screen.findByRole("button", { name: "Ya no enviarlos" });
  expect(asked).toEqual([]);
  fireEvent.click(stop);
  expect((await screen.findByRole("alert")).textContent).toMatch(/no es válido/);
});

it("asks again for another link in the same tab, and stops the mails of that one", async () => {
  const path = "/api/notices/unsubscribe";
  const page = (
    <Routes>
      <Route path="/unsubscribe/:token" element={<StopMailsPage />} />
    </Routes>
  );
  const { asked, router } = showPage(page, {
    at: "/unsubscribe/first",
    answers: { [`POST ${path}/first`]: {}, [`POST ${path}/second`]: {} },
  });
  const stop = { name: "Ya no enviarlos" };
  fireEvent.click(await screen.findByRole("button", stop));
  await screen.findByRole("status");
  await act(() => router.navigate("/unsubscribe/second"));
  expect(screen.queryByRole("status")).toBeNull();
  fireEvent.click(screen.getByRole("button", stop));
  await screen.findByRole("status");
  expect(asked.map((one) => one.path)).toEqual([`${path}/first`, `${path}/second`]);
});
