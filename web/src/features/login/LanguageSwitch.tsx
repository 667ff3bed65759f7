/** Spanish or English, each named in itself. */
import { useTranslation } from "react-i18next";
import { changeLanguage, useLanguage } from "@/shared/i18n";
import { LANGUAGE_NAMES, LANGUAGES } from "@/shared/session/language";

export function LanguageSwitch() {
  const { t } = useTranslation("login");
  const language = useLanguage();
  return (
    <div className="ob-language" role="group" aria-label={t("language")}>
      {LANGUAGES.map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          aria-pressed={each === language}
          onClick={() => void changeLanguage(each)}
        >
          {LANGUAGE_NAMES[each]}
        </button>
      ))}
    </div>
  );
}
