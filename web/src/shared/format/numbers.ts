/** Numbers as people of the chosen language read them. */
import type { Language } from "@/shared/session/language";

const LOCALES: Record<Language, string> = { es: "es-MX", en: "en-GB" };

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}
