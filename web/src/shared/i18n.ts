/**
 * The texts of the client: one JSON file for each feature and language. The sign-in loads a few,
 * other screens load all.
 */
import i18next, { type BackendModule, type FormatterModule, type ReadCallback } from "i18next";
import { initReactI18next } from "react-i18next";
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

type Words = Record<string, unknown>;
interface File {
  default: Words;
}
/** The texts of the sign-in and of the features, each by `./name.json`; and those of a customer's page. */
const many = import.meta.glob<File>("../locales/*/{first,features}.ts");
const pages = import.meta.glob<File>("../locales/*/customerPage.json");
const FIRST = ["shared", "shell", "login"];
const PAGE = "customerPage";

const load = async (files: Record<string, () => Promise<File>>, path: string): Promise<Words> => {
  const file = files[`../locales/${path}`];
  if (file === undefined) throw new Error(`There are no words in ${path}.`);
  return (await untilLoaded(file)).default;
};

async function wordsOf(language: string, namespace: string): Promise<Words> {
  if (namespace === PAGE) return load(pages, `${language}/${PAGE}.json`);
  const file = FIRST.includes(namespace) ? "first" : "features";
  const found = (await load(many, `${language}/${file}.ts`))[`./${namespace}.json`];
  if (found === undefined) throw new Error(`No words for ${namespace} in ${language}.`);
  return found as Words;
}

/** The names of all namespaces but that of a customer's page. Loads their words. */
async function allNamespaces(): Promise<string[]> {
  const language = readLanguage();
  const files = ["first", "features"].map((file) => load(many, `${language}/${file}.ts`));
  const paths = (await Promise.all(files)).flatMap(Object.keys);
  return paths.map((path) => path.slice("./".length, -".json".length));
}

const lazyFiles: BackendModule = {
  type: "backend",
  init() {},
  read(language: string, namespace: string, done: ReadCallback) {
    wordsOf(language, namespace).then(
      (words) => done(null, words),
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

/**
 * Start with the texts of these namespaces, by default of all. They must include `shared`, unless nothing on screen uses
 * it: then the first one is the default. A screen loads missing ones itself, but late: after a
 * fallback, React shows nothing new for 300 ms.
 */
export async function startI18n(wanted?: readonly string[]): Promise<void> {
  const namespaces = wanted ?? (await allNamespaces());
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
  await i18next.loadNamespaces(await allNamespaces());
}

export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await i18next.changeLanguage(language);
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : DEFAULT_LANGUAGE;
}

export { useLanguage } from "./language";
