import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Confirm } from "./Confirm";

afterEach(cleanup);

const nothing = () => undefined;

it.each([
  [false, "Sí"],
  [true, "action.cancel"],
])("where it is for good (%s), the focus starts on %s", (final, name) => {
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
