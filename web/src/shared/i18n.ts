/** The words: one JSON file a feature and language, loaded when a screen first needs it. */
import i18next, { type BackendModule, type ReadCallback } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { untilLoaded } from "./network";
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGES,
  readLanguage,
  storeLanguage,
  type Language,
} from "./session/language";

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

/** Loads the words every screen needs, and `also` those of the first one; the others come with their screens. */
export async function startI18n(also: readonly string[] = []): Promise<void> {
  i18next.on("languageChanged", (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(lazyFiles)
    .use(initReactI18next)
    .init({
      lng: readLanguage(),
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      ns: ["shared", ...also],
      defaultNS: "shared",
      interpolation: { escapeValue: false }, // React escapes.
      react: { useSuspense: true },
    });
}

export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await i18next.changeLanguage(language);
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : DEFAULT_LANGUAGE;
}

/** The language on screen; the part is drawn again when it changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE;
}
