/** Numbers as people of the chosen language read them. */
import type { Language } from "@/shared/session/language";

const LOCALES: Record<Language, string> = { es: "es-MX", en: "en-GB" };

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}

/** An amount of money: at least two decimals, at most the four that are stored. */
export function formatMoney(amount: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], {
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  }).format(amount);
}
