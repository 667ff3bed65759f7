import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Progress } from "./Figures";

beforeAll(() => startI18n());

it("describes the bar apart from the number of finished pieces", () => {
  render(<Progress quantity={30} quantityDone={0} progress={0.9} />);
  const bar = screen.getByRole("img", {
    name: "90 % del recorrido por los procesos; 0 de 30 piezas terminadas",
  });
  expect(bar.textContent).toBe("90 %0 / 30");
});

it("is whole only when all pieces have passed", () => {
  const { rerender, container } = render(
    <Progress quantity={300} quantityDone={299} progress={0.999} />,
  );
  expect(container.textContent).toBe("99 %299 / 300");
  rerender(<Progress quantity={300} quantityDone={300} progress={1} />);
  expect(container.textContent).toBe("100 %300 / 300");
});
