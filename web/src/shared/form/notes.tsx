/** Notes above a form or a list: it came back as it was typed before, or somebody else changed it meanwhile. */
import Button from "antd/es/button";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "./form.css";

interface Props {
  /** What came back, where it was not typed. */
  text?: string;
  onDrop: () => void;
}

export function DraftNote({ text, onDrop }: Props) {
  const { t } = useTranslation("forms");
  return (
    <p className="ob-note" role="status">
      {text ?? t("draft.kept")}{" "}
      <Button type="link" size="small" onClick={onDrop}>
        {t("draft.drop")}
      </Button>
    </p>
  );
}

export interface StaleRow {
  label: string;
  before: string;
  now: string;
}

/** What somebody else changed while this person was typing. */
export function StaleNote({ rows, who = null }: { rows: StaleRow[]; who?: string | null }) {
  const { t } = useTranslation("forms");
  if (rows.length === 0) return null;
  return (
    <ConflictNote
      // Another change is another note.
      key={JSON.stringify(rows)}
      title={who === null ? t("stale.title") : t("stale.titleBy", { who })}
    >
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
    </ConflictNote>
  );
}

/** Is brought into view as it comes: what is saved next depends on it. */
export function ConflictNote({ title, children }: { title: string; children: ReactNode }) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise, which is no clean-up.
    void note.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div ref={note} className="ob-stale" role="alert">
      <p className="ob-stale__title">{title}</p>
      {children}
    </div>
  );
}
