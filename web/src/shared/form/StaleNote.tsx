/** What somebody else changed while this person was typing. */
import { useTranslation } from "react-i18next";
import "./form.css";

export interface StaleRow {
  label: string;
  before: string;
  now: string;
}

export function StaleNote({ rows }: { rows: StaleRow[] }) {
  const { t } = useTranslation("forms");
  if (rows.length === 0) return null;
  return (
    <div className="ob-stale" role="alert">
      <p className="ob-stale__title">{t("stale.title")}</p>
      <p>{t("stale.text")}</p>
      <ul>
        {rows.map(({ label, before, now }) => (
          <li key={label}>
            {t("stale.row", {
              field: label,
              before: before || t("none"),
              now: now || t("none"),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
