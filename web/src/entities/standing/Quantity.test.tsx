import { render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { changeLanguage, startI18n } from "@/shared/i18n";
import { Quantity } from "./Quantity";

beforeAll(() => startI18n(["standing"]));
afterEach(() => changeLanguage("es"));

describe("the pieces of a line", () => {
  it.each([
    ["es", 10, 10, "10", "10 piezas"],
    ["es", 10, 6, "6 de 10", "6 de 10 piezas"],
    ["es", 1, 0, "0 de 1", "0 de 1 pieza"],
    ["es", 1_200, 1_000, "1,000 de 1,200", "1,000 de 1,200 piezas"],
    ["en", 10, 6, "6 of 10", "6 of 10 pieces"],
  ] as const)("%s: %d ordered, %d good", async (language, quantity, quantityGood, short, said) => {
    await changeLanguage(language);
    const line = { quantity, quantityGood };
    render(
      <>
        <p>
          <Quantity line={line} />
        </p>
        <p>
          <Quantity line={line} said />
        </p>
      </>,
    );
    expect(screen.queryByText(short)).not.toBeNull();
    expect(screen.queryByText(said)).not.toBeNull();
  });
});
