/** Layout of the pages before sign-in: one column and a language switch. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { changeLanguage, useLanguage } from "@/shared/i18n";
import { LANGUAGE_NAMES, LANGUAGES } from "@/shared/language";
import "./LoginPage.css";

export function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation("shared");
  return (
    <div className="ob-login">
      <LanguageSwitch />
      <main className="ob-login__column">
        <p className="ob-bar ob-login__product">
          <img src="./favicon.svg" alt="" width={44} height={44} />
          {t("product")}
        </p>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}

/** Choose the language. Each language is named in that language. */
function LanguageSwitch() {
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
