/**
 * Privacy page: a fixed Spanish text, then the retention periods of this installation in the user's
 * language.
 */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useAnswer } from "@/shared/http/data";
import { useLanguage } from "@/shared/i18n";
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
      <Kept />
    </article>
  );
}

function Kept() {
  const { t } = useTranslation("privacy");
  const { data: periods } = useAnswer("/api/privacy", {});
  return (
    <section lang={useLanguage()}>
      <h2>{t("keptTitle")}</h2>
      <p>{t("kept")}</p>
      {periods !== undefined && (
        <p>
          {periods.auditDays === null
            ? t("keptForEver")
            : t("keptDays", { count: periods.auditDays })}
          {"; "}
          {t("keptRest", { events: periods.eventsDays, uploads: periods.uploadsDays })}
        </p>
      )}
      <p>{t("yours")}</p>
    </section>
  );
}
