import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { EARNINGS, METAL_MINE } from "@/shared/http/keys";
import { noteShared } from "@/shared/session/kept";
import { aSession } from "@/testing/builders";
import { showPage } from "@/testing/pages";
import HomePage from "./HomePage";

beforeAll(() => startI18n());
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const WORKER = ["Station", "SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"] as const;
const OWN = [METAL_MINE, "/api/reports/scrap/mine", EARNINGS];
const ANSWERS = {
  [`GET ${METAL_MINE}`]: { accounts: [], days: [], month: [] },
  "GET /api/reports/scrap/mine": { pieces: 0, reasons: [] },
  [`GET ${EARNINGS}`]: { currency: "MXN", today: 0, week: 0, open: 0, paid: 0, unweighed: 0 },
};

it.each([
  ["shows workers what they earn, hold and lost", WORKER, false, OWN],
  ["asks for none of it once others have worked at this screen", WORKER, true, []],
  ["asks for none of it at a screen that moves nothing itself", ["Station"] as const, false, []],
])("%s", async (_, permissions, isShared, expected) => {
  if (isShared) noteShared(aSession().token);
  const { asked } = showPage(<HomePage />, { permissions, answers: ANSWERS });
  await screen.findByText("No tiene procesos asignados");
  const own = asked.map(({ path }) => path).filter((path) => /earnings$|\/mine$/.test(path));
  expect(own.toSorted()).toEqual(expected);
});
