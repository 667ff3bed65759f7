import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aMovement } from "./queue/aPress";
import { movements } from "./queue/useMovements";
import type { Movement } from "./queue/storage";
import { WaitingList } from "./WaitingList";

const HERE = 2;
const RETRY = "Intentar de nuevo";
const WITH_TIME_OF_ARRIVAL = "Enviar con la hora de llegada";
const UNDERSTOOD = "Entendido";
const DROP = "Quitar";

const onTakeBack = vi.fn<(line: Movement["line"]) => void>();

beforeAll(() => startI18n());

function showRefused(code: string, change: Partial<Movement> = {}): HTMLElement {
  const refused = { code, message: "Ya no hay piezas" };
  movements.state = { ...movements.state, movements: [aMovement({ refused, ...change })] };
  render(<WaitingList processId={HERE} onTakeBack={onTakeBack} />);
  return screen.getByRole("listitem");
}

const buttons = (row: HTMLElement) =>
  within(row)
    .getAllByRole("button")
    .map(({ textContent }) => textContent);

it.each([
  ["not_enough_pieces", /Revise las piezas/, [RETRY, DROP]],
  ["made_at_out_of_range", /quizá el reloj de esta tableta está mal/, [WITH_TIME_OF_ARRIVAL, DROP]],
  ["not_your_process", /Hecho por Ana Ruiz, que no puede moverlo/, [DROP]],
  ["permission_denied", /Hecho por Ana Ruiz, que no puede moverlo/, [DROP]],
  ["grams_required", /pese las piezas y muévala de nuevo/, [DROP]],
  ["grams_heavier", /pese las piezas y muévala de nuevo/, [DROP]],
])(
  "a movement refused as %s says why and what to do, with buttons for that",
  (code, todo, choices) => {
    const row = showRefused(code);
    expect(row.textContent).toContain("El servidor no lo aceptó: Ya no hay piezas.");
    expect(row.textContent).toMatch(todo);
    expect(buttons(row)).toEqual(choices);
    expect(screen.getByRole("status").textContent).toBe("1 movimiento rechazado");
  },
);

it.each([
  ["not_enough_pieces", RETRY, false],
  ["made_at_out_of_range", WITH_TIME_OF_ARRIVAL, true],
])("a movement refused as %s is sent again by “%s”", async (code, button, untimed) => {
  const retried = vi.spyOn(movements, "retry").mockResolvedValue();
  const row = showRefused(code, { key: "again" });
  await userEvent.click(within(row).getByRole("button", { name: button }));
  expect(retried.mock.calls).toEqual([["again", { untimed }]]);
});

it("a refused undo says that the movement stands, and can only be dismissed", async () => {
  const takenBack = vi.spyOn(movements, "takeBack").mockResolvedValue("dropped");
  const row = showRefused("too_late", { key: "undoing", undo: { recordId: 5 } });
  expect(row.textContent).toContain("No se pudo deshacer: Ya no hay piezas");
  expect(row.textContent).toContain("El movimiento sigue hecho");
  expect(buttons(row)).toEqual([UNDERSTOOD]);
  await userEvent.click(within(row).getByRole("button", { name: UNDERSTOOD }));
  expect(takenBack.mock.calls).toEqual([["undoing"]]);
  expect(onTakeBack).toHaveBeenCalledOnce();
});

it("a later movement of the line waits for the refused one", () => {
  const refused = { code: "not_enough_pieces", message: "Ya no hay piezas" };
  const first = aMovement({ turn: 1, refused });
  movements.state = { ...movements.state, movements: [first, aMovement({ turn: 2 })] };
  render(<WaitingList processId={HERE} onTakeBack={onTakeBack} />);
  const [, behind] = screen.getAllByRole("listitem");
  expect(behind?.textContent).toContain("Espera a que resuelva el anterior de esta línea");
  expect(screen.getByRole("status").textContent).toBe(
    "1 movimiento rechazado · 1 movimiento por enviar",
  );
});
