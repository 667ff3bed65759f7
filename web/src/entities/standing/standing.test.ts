/** The sentence of a line, over the table of states that the server follows too. */
import i18next from "i18next";
import { beforeAll, describe, expect, test } from "vitest";
import { startI18n } from "@/shared/i18n";
import type { Language } from "@/shared/language";
import table from "@/../../tests/contract/standing.json";
import { ageWords, standingText, type StandingLine } from "./standing";

const NOW = Date.parse("2026-06-15T18:00:00Z");

interface Case {
  name: string;
  sentence: Record<Language, string>;
  sentenceOfCustomer?: Record<Language, string>;
  document: StandingLine;
  ofCustomer: StandingLine;
}

const PROCESSES = ["Limado", "Engaste", "Soldadura", "Pulido"];
const nameOf = (id: number) => PROCESSES[id - 1]!;

const cases = table as unknown as Case[];

beforeAll(async () => {
  await startI18n(["shared", "standing"]);
  await i18next.loadLanguages(["es", "en"]);
});

describe.each(["es", "en"] as const)("in %s", (language) => {
  const said = (line: StandingLine) =>
    standingText(line, NOW, i18next.getFixedT(language, "standing"), language, nameOf);

  test.each(cases)("$name", ({ sentence, document }) => {
    expect(said(document)).toBe(sentence[language]);
  });

  test.each(cases.filter(({ sentenceOfCustomer }) => sentenceOfCustomer !== undefined))(
    "$name, for a customer",
    ({ sentenceOfCustomer, ofCustomer }) => {
      expect(said(ofCustomer)).toBe(sentenceOfCustomer?.[language]);
    },
  );
});

// As the column of days: from Friday morning to Monday morning it is three days, though fewer than 72 hours.
test.each([
  ["2026-03-13T21:00:00Z", "40 h"],
  ["2026-03-12T19:00:00Z", "3 días"],
  ["2026-03-12T12:00:00Z", "3 días"],
])("an age since %s is %s", (since, words) => {
  const now = Date.parse("2026-03-15T13:00:00Z");
  expect(ageWords(since, now, i18next.getFixedT("es", "standing"))).toBe(words);
});
