import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceAccount, Webhook } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { showPage } from "@/testing/pages";
import WebhookDrawer from "./WebhookDrawer";

beforeAll(() => startI18n());
beforeEach(() => sessionStorage.clear());

const ACCOUNT: ServiceAccount = {
  id: 4,
  userId: 9,
  name: "Lectora",
  permissions: ["ListMaterials"],
  productionProcessIds: [],
  active: true,
  hasToken: true,
  expiresAt: null,
  lastSeen: null,
  version: 1,
};
const WEBHOOK: Webhook = {
  id: 2,
  name: "ERP",
  url: "https://erp.example.com/hook",
  types: ["catalog.changed"],
  accountId: 4,
  accountName: "Lectora",
  accountActive: true,
  active: true,
  hasSecret: true,
  waiting: 0,
  lastDeliveredAt: null,
  givenUp: 0,
  givenUpAt: null,
  failingSince: null,
  nextAt: null,
  stoppedAt: null,
  version: 1,
};
const show = (webhook?: Webhook) =>
  showPage(<WebhookDrawer webhook={webhook} onClose={() => undefined} />, {
    permissions: ["ManageIntegrations"],
    answers: { "GET /api/service-accounts": [ACCOUNT], "GET /api/webhooks/2": WEBHOOK },
  });
const buttonOf = (text: string) => screen.getByText(text).closest("button");

it("may only be deleted by who lacks a permission of its account", async () => {
  show(WEBHOOK);
  await screen.findByText(/solo puede eliminar el webhook/);
  expect(buttonOf("Hacer otro secreto")?.disabled).toBe(true);
  expect(buttonOf("Pausar")?.disabled).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>("Dirección").disabled).toBe(true);
  expect(screen.queryByText("Guardar")).toBeNull();
  expect(buttonOf("Eliminar")?.disabled).toBe(false);
});

it("offers no account with a permission that the user lacks, and says why", async () => {
  show();
  await waitFor(() => expect(document.querySelector(".ant-select-loading")).toBeNull());
  await userEvent.click(screen.getByLabelText("Cuenta de servicio"));
  const option = (await screen.findByText(/^Tiene permisos que usted no tiene/)).closest(
    ".ant-select-item-option",
  );
  expect(option?.textContent).toContain("Lectora");
  expect(option?.classList).toContain("ant-select-item-option-disabled");
});
