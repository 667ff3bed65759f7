import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { open, showApp } from "@/testing/app";

const hash = () => window.location.hash;

it("leads from the sign-in of the demo to its doors, and to the dashboard who asks for it", async () => {
  await showApp({
    at: "/login",
    permissions: ["Dashboard", "UpdateRole", "ListOrders"],
    answers: {
      "GET /api/start": {
        steps: [{ name: "company", done: true }],
        sample: null,
        demo: { customerId: 1, movingUntil: null },
      },
    },
  });
  await expect.poll(hash).toBe("#/home");
  await open("/dashboard");
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(hash()).toBe("#/dashboard");
});
