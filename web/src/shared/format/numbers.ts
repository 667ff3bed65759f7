/** Format numbers in the chosen language. */
import type { Language } from "@/shared/language";
import { minorUnits, priceDecimals } from "./money";

export const LOCALES: Record<Language, string> = { es: "es-MX", en: "en-GB" };

/** All numbers but prices are stored with at most four decimals. */
const MOST_DECIMALS = { maximumFractionDigits: 4 };

/** Created once, because a board formats hundreds of numbers at a time. */
const PLAIN: Record<Language, Intl.NumberFormat> = {
  es: new Intl.NumberFormat(LOCALES.es, MOST_DECIMALS),
  en: new Intl.NumberFormat(LOCALES.en, MOST_DECIMALS),
};

export function formatNumber(value: number, language: Language): string {
  return PLAIN[language].format(value);
}

/** Format a weight: `1,234.5 g`. */
export const formatGrams = (grams: number, language: Language): string =>
  `${formatNumber(grams, language)} g`;

const MOST_GRAMS = 100_000;
/** Format a weight, from 100,000 g in kilograms to the gram: `470.913 kg`. */
export const formatHeavy = (grams: number, language: Language): string =>
  Math.abs(grams) < MOST_GRAMS
    ? formatGrams(grams, language)
    : formatKilograms(grams / 1_000, language);

const TO_THE_GRAM = { minimumFractionDigits: 3, maximumFractionDigits: 3 };

/** Format a weight to the gram: `1.250 kg`. */
export const formatKilograms = (kg: number, language: Language): string =>
  `${new Intl.NumberFormat(LOCALES[language], TO_THE_GRAM).format(kg)} kg`;

/** Format a share of metal: `12 ‰`. */
export const formatPerMille = (share: number, language: Language): string =>
  `${formatNumber(share, language)} ‰`;

/** Format a share of metal that was lost, in per cent as workshops say it: 12 ‰ is `1.2 %`. */
export const formatLossShare = (perMille: number, language: Language): string =>
  `${formatNumber(Math.round(perMille * 10) / 100, language)} %`;

/**
 * Format an amount and its currency, `$5,556.00 MXN`, `¥5,556 JPY`, with at least the currency's decimals and at most
 * those of its prices. If the currency is "", because a form does not know it yet, format only the number.
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
  // For a currency without a symbol, `Intl` writes its code in place of the symbol: drop that one.
  const shown = format.formatToParts(amount).filter(({ value }) => value !== currency);
  const figures = shown.map(({ value }) => value).join("");
  return `${figures.trim()} ${currency}`;
}
