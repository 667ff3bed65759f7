/** The language on screen: Spanish unless the user chose English; stored under the key `language`. */
import { useTranslation } from "react-i18next";
import { ofBrowser, parseStored } from "./stored";

export const LANGUAGES = ["es", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = { es: "Español", en: "English" };

export const DEFAULT_LANGUAGE: Language = "es";
const KEY = "language";

/** Customers' accounts may not write to the server, so this browser stores their choice, by user id. */
const CHOICES = "languageChoices";

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** The language on screen; the component renders again when it changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE;
}

export function readLanguage(): Language {
  const stored = ofBrowser.getItem(KEY);
  return isLanguage(stored) ? stored : DEFAULT_LANGUAGE;
}

/** Whether somebody chose a language in this browser. */
export function hasChosenLanguage(): boolean {
  return isLanguage(ofBrowser.getItem(KEY));
}

export function storeLanguage(language: Language): void {
  ofBrowser.setItem(KEY, language);
}

function readChoices(): Record<string, unknown> {
  const choices = parseStored(ofBrowser.getItem(CHOICES) ?? "{}");
  return typeof choices === "object" && choices !== null ? { ...choices } : {};
}

export function keepChoice(userId: number, language: Language): void {
  ofBrowser.setItem(CHOICES, JSON.stringify({ ...readChoices(), [userId]: language }));
}

/** The user's language: their choice in this browser, else the one in their account. */
export function languageOf({ id, language }: { id: number; language: string }): Language {
  const chosen = readChoices()[id];
  if (isLanguage(chosen)) return chosen;
  return isLanguage(language) ? language : DEFAULT_LANGUAGE;
}
