import i18next from "i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import { changeLanguage, startI18n } from "./i18n";

beforeAll(() => startI18n());
afterEach(() => changeLanguage("es"));

it.each(["es", "en"] as const)(
  "formats counts with separators, and numbers that are names without (%s)",
  async (language) => {
    await changeLanguage(language);
    const say = (words: string, values: object) =>
      i18next.services.interpolator.interpolate(words, values, language, {});
    expect(
      say("{{count}} of {{pieces}}, {{text}}", { count: 1_000, pieces: 10_000, text: "12345" }),
    ).toBe("1,000 of 10,000, 12345");
    expect(
      say("{{number}}, {{position}}, {{id}}", { number: 1_200, position: 5_000, id: 12_345 }),
    ).toBe("1200, 5000, 12345");
  },
);
