/** Numbers as people of the chosen language read them. */
import type { Language } from "@/shared/session/language";
import { minorUnits, priceDecimals } from "./money";

const LOCALES: Record<Language, string> = { es: "es-MX", en: "en-GB" };

/** No number but a price is stored with more decimals. */
const MOST_DECIMALS = { maximumFractionDigits: 4 };

/** Made once: a board draws hundreds of numbers at a time. */
const PLAIN: Record<Language, Intl.NumberFormat> = {
  es: new Intl.NumberFormat(LOCALES.es, MOST_DECIMALS),
  en: new Intl.NumberFormat(LOCALES.en, MOST_DECIMALS),
};

export function formatNumber(value: number, language: Language): string {
  return PLAIN[language].format(value);
}

/**
 * An amount of money and its currency, `$5,556.00 MXN`, `¥5,556 JPY`: its currency's decimals, and all that are stored.
 * Without a currency, which a form may not know yet, the number alone.
 */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const decimals = {
    minimumFractionDigits: minorUnits(currency),
    maximumFractionDigits: priceDecimals(currency),
  };
  if (currency === "") return new Intl.NumberFormat(LOCALES[language], decimals).format(amount);
  const format = new Intl.NumberFormat(LOCALES[language], {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...decimals,
  });
  // Where a currency has no symbol of its own its code stands in for it: once is enough.
  const shown = format.formatToParts(amount).filter(({ value }) => value !== currency);
  const figures = shown.map(({ value }) => value).join("");
  return `${figures.trim()} ${currency}`;
}
