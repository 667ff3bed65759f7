import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { CrashGuard } from "./CrashGuard";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("shows a translated message after a crash, and tries again without a reload", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  let broken = true;
  function Page() {
    if (broken) throw new Error("Unexpected");
    return <p>pedido</p>;
  }
  render(
    <CrashGuard>
      <Page />
    </CrashGuard>,
  );
  expect(screen.getByRole("alert").textContent).not.toContain("Unexpected");
  broken = false;
  await act(async () => screen.getAllByRole("button")[0]!.click());
  expect(screen.getByText("pedido")).toBeDefined();
});
