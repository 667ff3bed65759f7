/** The language on screen: Spanish unless the person chose English; kept under the key `language`. */
import { parseStored } from "./stored";

export const LANGUAGES = ["es", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language is named in itself, whatever the language on screen. */
export const LANGUAGE_NAMES: Record<Language, string> = { es: "Español", en: "English" };

export const DEFAULT_LANGUAGE: Language = "es";
const KEY = "language";

/** Customers' accounts write nothing to the server: what they choose is kept on this browser, by user id. */
const CHOICES = "languageChoices";

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

export function readLanguage(): Language {
  const stored = localStorage.getItem(KEY);
  return isLanguage(stored) ? stored : DEFAULT_LANGUAGE;
}

export function storeLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
}

function readChoices(): Record<string, unknown> {
  const choices = parseStored(localStorage.getItem(CHOICES) ?? "{}");
  return typeof choices === "object" && choices !== null ? { ...choices } : {};
}

export function keepChoice(userId: number, language: Language): void {
  localStorage.setItem(CHOICES, JSON.stringify({ ...readChoices(), [userId]: language }));
}

/** The language a person reads: what he chose here where only this browser keeps it, else his own. */
export function languageOf({ id, language }: { id: number; language: string }): Language {
  const chosen = readChoices()[id];
  if (isLanguage(chosen)) return chosen;
  return isLanguage(language) ? language : DEFAULT_LANGUAGE;
}
