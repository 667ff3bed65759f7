import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { getSession, type Session } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aStation } from "@/testing/floor";
import { showPage } from "@/testing/pages";
import { Missing } from "./Missing";

const MOVES = ["SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"] as const;
const process = { productionProcessId: 2, productionProcessName: "Cera", active: true };
const me = aSession().user;
const worker = { id: me.id, fullName: me.fullName, operatorToken: null };

const show = (permissions: Session["permissions"]) =>
  showPage(<Missing station={aStation({ process })} worker={worker} />, {
    permissions,
    answers: {
      "GET /api/production-processes/2": { id: 2, version: 5, userIds: [3] },
      "PUT /api/production-processes/2": { id: 2, version: 6, userIds: [3, 7] },
      "GET /identity/users/7": { ...me, productionProcessIds: [1, 2] },
    },
  });
const button = () => screen.queryByRole("button", { name: "Asignarme a Cera" });

beforeAll(() => startI18n());

it("lets who may choose the people of a process assign themselves, and keeps the others", async () => {
  const { asked } = show([...MOVES, "ListProductionProcesses", "UpdateProductionProcess"]);
  await userEvent.click(button()!);
  await waitFor(() => expect(screen.queryByText(/no está asignada a Cera/)).toBeNull());
  expect(asked.find(({ method }) => method === "PUT")?.body).toEqual({ userIds: [3, 7] });
  expect(getSession()?.user.productionProcessIds).toEqual([1, 2]);
});

it("offers nothing to who may not choose them, or lacks a permission to move", () => {
  show(MOVES);
  expect(screen.getByText(/no está asignada a Cera/)).toBeTruthy();
  expect(button()).toBeNull();
});

it("names the missing permission first", () => {
  show(["ListProductionProcesses", "UpdateProductionProcess"]);
  expect(screen.getByText(/le faltan los permisos/)).toBeTruthy();
  expect(button()).toBeNull();
});
