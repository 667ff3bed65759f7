import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { WeightField } from "@/entities/weight/WeightField";
import { Confirm } from "./Confirm";

afterEach(cleanup);

const nothing = () => undefined;

it.each([
  [false, "Sí"],
  [true, "action.cancel"],
])("if it is final (%s), the focus starts on %s", (final, name) => {
  render(
    <Confirm
      question="¿Cancelar la línea?"
      accept="Sí"
      final={final}
      busy={false}
      failure={null}
      onCancel={nothing}
      onAccept={nothing}
    />,
  );
  expect(document.activeElement).toBe(screen.getByRole("button", { name }));
});

it("starts on a weight that is needed, and Enter there goes on to the answer", () => {
  render(
    <Confirm
      question="¿Salir de Vaciado?"
      accept="Sacar 6"
      busy={false}
      failure={null}
      onCancel={nothing}
      onAccept={nothing}
    >
      <WeightField aria-label="Peso" required value={12.34} />
    </Confirm>,
  );
  const weight = screen.getByLabelText("Peso");
  expect(document.activeElement).toBe(weight);
  fireEvent.keyDown(weight, { key: "Enter" });
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Sacar 6" }));
});

it("starts on the first field while it cannot be accepted, so that Enter does not close it", () => {
  render(
    <Confirm
      question="¿Dar de baja?"
      accept="Dar de baja"
      wrong
      busy={false}
      failure={null}
      onCancel={nothing}
      onAccept={nothing}
    >
      <input type="file" aria-label="Foto" />
      <input aria-label="Piezas" />
    </Confirm>,
  );
  expect(document.activeElement).toBe(screen.getByLabelText("Piezas"));
});

it("is read-only while it is sent", () => {
  const confirm = (busy: boolean) => (
    <Confirm question="¿Salir?" busy={busy} failure={null} onCancel={nothing} onAccept={nothing}>
      <textarea aria-label="Notas" />
    </Confirm>
  );
  const { rerender } = render(confirm(true));
  const notes = screen.getByLabelText<HTMLTextAreaElement>("Notas");
  expect(notes.readOnly).toBe(true);
  rerender(confirm(false));
  expect(notes.readOnly).toBe(false);
});
