/**
 * The texts of the client: one JSON file for each feature and language. The sign-in loads a few,
 * other screens load all.
 */
import i18next, { type BackendModule, type FormatterModule, type ReadCallback } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { formatNumber } from "./format/numbers";
import { untilLoaded } from "./network";
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGES,
  readLanguage,
  storeLanguage,
  type Language,
} from "./language";

const files = import.meta.glob<{ default: Record<string, unknown> }>("../locales/*/*.json");

const lazyFiles: BackendModule = {
  type: "backend",
  init() {},
  read(language: string, namespace: string, done: ReadCallback) {
    const load = files[`../locales/${language}/${namespace}.json`];
    if (load === undefined) {
      done(new Error(`No words for ${namespace} in ${language}.`), false);
      return;
    }
    untilLoaded(load).then(
      (file) => done(null, file.default),
      (reason: Error) => done(reason, false),
    );
  },
};

/** Placeholders for numbers that are names, not counts: `Caja 1200`, but `1,200 piezas`. */
const NAMES = new Set(["id", "line", "number", "page", "place", "position", "row", "version"]);

/** Formats numbers in texts for the language. */
const numbers: FormatterModule = {
  type: "formatter",
  init() {},
  add() {},
  addCached() {},
  format(value: unknown, _, language, { interpolationkey } = {}) {
    if (typeof value !== "number" || NAMES.has(interpolationkey)) return value as string;
    return formatNumber(value, isLanguage(language) ? language : DEFAULT_LANGUAGE);
  },
};

const ALL = [
  ...new Set(Object.keys(files).map((path) => path.slice(path.lastIndexOf("/") + 1, -5))),
];

/**
 * Start with the texts of these namespaces. They must include `shared`, unless nothing on screen uses
 * it: then the first one is the default. A screen loads missing ones itself, but late: after a
 * fallback, React shows nothing new for 300 ms.
 */
export async function startI18n(namespaces: readonly string[] = ALL): Promise<void> {
  i18next.on("languageChanged", (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(lazyFiles)
    .use(numbers)
    .use(initReactI18next)
    .init({
      lng: readLanguage(),
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      ns: namespaces,
      defaultNS: namespaces.includes("shared") ? "shared" : (namespaces[0] ?? "shared"),
      interpolation: { escapeValue: false, alwaysFormat: true }, // React escapes.
      react: { useSuspense: true },
    });
}

/** Load the words that are not loaded yet, of every screen. */
export async function loadAllWords(): Promise<void> {
  await i18next.loadNamespaces(ALL);
}

export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await i18next.changeLanguage(language);
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : DEFAULT_LANGUAGE;
}

/** The language on screen; the component renders again when it changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE;
}
