import { act, cleanup, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Permission, ProcessRecord } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aLine, aRecord } from "@/testing/lines";
import HistoryDialog from "./HistoryDialog";

const history = vi.hoisted(() => ({ data: [] as ProcessRecord[], error: undefined }));
vi.mock("../orders.api", () => ({ useHistory: () => history }));
vi.mock("@/shared/hooks/useOptions", () => ({ useShortList: () => ({ rows: [] }) }));

const after = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const nothing = () => undefined;

beforeAll(() => startI18n());

beforeEach(() => {
  vi.useFakeTimers();
  history.data = [aRecord()];
  return () => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

it("enables sorting and pagination 0.5 s after it opens", () => {
  render(<HistoryDialog line={aLine()} onUndo={nothing} onClose={nothing} />);
  const attached = () => [
    document.querySelectorAll(".ant-table-column-has-sorters").length > 0,
    document.querySelector(".ant-pagination") !== null,
  ];
  expect(screen.getByText("Vaciado")).toBeDefined();
  after(499);
  expect(attached()).toEqual([false, false]);
  after(1);
  expect(attached()).toEqual([true, true]);
});

it("offers to sign a loss above the allowance, with its reason, to those who manage metal", () => {
  const lost = {
    ...aRecord(),
    weighs: "optional" as const,
    gramsIn: 150,
    gramsOut: 140,
    lossGrams: 10,
    lossPerMille: 66.7,
    allowedLoss: 12,
    weightReason: "Cayó limadura",
    lossToSign: true,
  };
  const show = (record: ProcessRecord, ...actions: Permission[]) => {
    cleanup();
    storeSession(aSession({ permissions: actions }));
    history.data = [record];
    render(<HistoryDialog line={aLine()} onUndo={nothing} onClose={nothing} />);
  };
  const sign = () => screen.queryByRole("button", { name: "Firmar la merma: Vaciado" });
  show(lost, "SalesOrderPositionRecord");
  expect(screen.getByText("Cayó limadura")).toBeDefined();
  expect(sign()).toBeNull();
  show({ ...lost, lossToSign: false, lossSignedBy: "Ana Torres" }, "ManageMetal");
  expect(screen.getByText("firmó Ana Torres")).toBeDefined();
  expect(sign()).toBeNull();
  show(lost, "ManageMetal");
  expect(sign()).not.toBeNull();
});

it("shows grams and the loss only of a line that was weighed", () => {
  const weighed = {
    ...aRecord(),
    id: 501,
    gramsIn: 150,
    gramsOut: 145.7,
    gramsOther: 0,
    scrapGrams: 2.5,
    gramsAdded: 0.5,
    lossGrams: 2.3,
    lossPerMille: 15.3,
    allowedLoss: 12,
  };
  const heads = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  const show = () => render(<HistoryDialog line={aLine()} onUndo={nothing} onClose={nothing} />);
  const { unmount } = show();
  expect(heads()).not.toContain("Merma de metal");
  unmount();
  history.data = [aRecord(), weighed];
  show();
  // The metal stands behind the notes.
  const metal = ["Metal que entró", "Metal que salió", "Merma de metal"];
  expect(heads().slice(7, 11)).toEqual(["Notas de salida", ...metal]);
  const texts = (id: number) =>
    [...document.querySelectorAll(`[data-row-key="${id}"] td`)]
      .slice(8, 11)
      .map(({ textContent }) => textContent);
  expect(texts(501)).toEqual([
    "150 gagregado 0.5 g",
    "145.7 gchatarra 2.5 g",
    "2.3 g1.53 %permitida 1.2 %",
  ]);
  expect(texts(500)).toEqual(["", "", ""]);
});

it("lets who manages metal weigh what stands where the process weighs", () => {
  const weighs = { ...aRecord(), weighs: "required" as const };
  history.data = [
    aRecord(),
    { ...weighs, id: 502 },
    { ...weighs, id: 503, deletedDate: "2026-03-14T16:00:00Z" },
    { ...weighs, id: 504, gramsIn: 12 },
  ];
  const show = () => render(<HistoryDialog line={aLine()} onUndo={nothing} onClose={nothing} />);
  const buttons = () => screen.queryAllByRole("button", { name: "Pesar: Vaciado" });
  storeSession(aSession());
  const { unmount } = show();
  expect(buttons()).toEqual([]);
  unmount();
  storeSession(aSession({ permissions: ["ManageMetal"] }));
  show();
  expect(buttons().map((each) => each.closest("tr")?.dataset["rowKey"])).toEqual(["502"]);
  const corrects = screen.getByRole("button", { name: "Corregir el peso: Vaciado" });
  expect(corrects.closest("tr")?.dataset["rowKey"]).toBe("504");
});
