import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Progress } from "./Figures";

beforeAll(() => startI18n());

it("says the finished pieces and the way of the others in words", () => {
  render(<Progress quantity={30} quantityDone={0} progress={0.9} />);
  const bar = screen.getByRole("img", {
    name: "0 de 30 piezas terminadas; 90\u00a0% del camino por los procesos",
  });
  expect(bar.textContent).toBe("0 de 30 terminadas90\u00a0% del camino");
});

it("is whole only when all pieces have passed", () => {
  const { rerender, container } = render(
    <Progress quantity={300} quantityDone={299} progress={0.999} />,
  );
  expect(container.textContent).toBe("299 de 300 terminadas99\u00a0% del camino");
  rerender(<Progress quantity={300} quantityDone={300} progress={1} />);
  expect(container.textContent).toBe("300 de 300 terminadas");
});
