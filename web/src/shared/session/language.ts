/** The chosen language: Spanish unless the person chose English; kept under the key `language`. */
export const LANGUAGES = ["es", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language is named in itself, whatever the language on screen. */
export const LANGUAGE_NAMES: Record<Language, string> = { es: "Español", en: "English" };

export const DEFAULT_LANGUAGE: Language = "es";
const KEY = "language";

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
