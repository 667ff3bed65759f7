/** What is done with data: static Spanish text in either language. Specification 1, section 2. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import "./PrivacyPage.css";

const SECTIONS = ["data", "camera", "changes"] as const;

export default function PrivacyPage() {
  const { t } = useTranslation("privacy");
  return (
    <article className="ob-privacy" lang="es">
      <Link to="/login">{t("back")}</Link>
      <h1>{t("title")}</h1>
      <p>{t("intro")}</p>
      {SECTIONS.map((section) => (
        <section key={section}>
          <h2>{t(`${section}Title`)}</h2>
          <p>{t(section)}</p>
        </section>
      ))}
    </article>
  );
}
