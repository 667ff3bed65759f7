/** Notes above a form or a list: a draft was restored, or another user changed the record in the meantime. */
import Button from "antd/es/button";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "./form.css";

interface Props {
  /** The note's text, if something other than typed input was restored. */
  text?: string;
  onDrop: () => void;
}

export function DraftNote({ text, onDrop }: Props) {
  const { t } = useTranslation("forms");
  return (
    <p className="ob-note ob-below" role="status">
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

/** List what another user changed while this user was typing. */
export function StaleNote({ rows, who = null }: { rows: StaleRow[]; who?: string | null }) {
  const { t } = useTranslation("forms");
  if (rows.length === 0) return null;
  return (
    <ConflictNote
      // A later change makes a new note, which scrolls into view again.
      key={JSON.stringify(rows)}
      title={who === null ? t("stale.title") : t("stale.titleBy", { who })}
    >
      <p>{t("stale.text")}</p>
      <ul className="ob-dots">
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

/** A note about a conflict, scrolled into view when it appears, because the user must read it before saving. */
export function ConflictNote({ title, children }: { title: string; children: ReactNode }) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // `void`, because newer browsers return a promise, and an effect must not return one.
    void note.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div ref={note} className="ob-note ob-note--warning ob-below ob-stale" role="alert">
      <p className="ob-doubtful ob-strong">{title}</p>
      {children}
    </div>
  );
}
