/** Show the fields of one change: the first three, and the rest on request. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/contract";
import { changesOf, type Change } from "./changes";
import { currencyOf, type Reading } from "./useReading";

const AT_ONCE = 3;

export function Changes({ entry, reading }: { entry: AuditEntry; reading: Reading }) {
  const { t } = useTranslation("audit");
  const [all, setAll] = useState(false);
  const changes = changesOf(entry.changes);
  const shown = all ? changes : changes.slice(0, AT_ONCE);
  const hidden = changes.length - shown.length;
  return (
    <div className="ob-audit__changes">
      <ul>
        {shown.map((change) => (
          <li key={change.path.join(".")}>
            <span className="ob-quiet">{reading.field(change.path)}</span>{" "}
            <Values change={change} reading={reading} entry={entry} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className="ob-audit__more" onClick={() => setAll(true)}>
          {t("more", { count: hidden })}
        </button>
      )}
    </div>
  );
}

interface ValuesProps {
  change: Change;
  reading: Reading;
  entry: AuditEntry;
}

function Values({ change, reading, entry }: ValuesProps) {
  const { t } = useTranslation("audit");
  const { path, before, after, added = [], removed = [] } = change;
  const said = (value: unknown, when: "before" | "after" = "after") =>
    reading.value(path, value, currencyOf(entry, when));
  if (added.length + removed.length > 0) {
    return (
      <>
        {removed.length > 0 && (
          <del>
            <span className="ob-visually-hidden">{t("removed")}</span> − {said(removed, "before")}
          </del>
        )}{" "}
        {added.length > 0 && (
          <ins>
            <span className="ob-visually-hidden">{t("added")}</span> + {said(added)}
          </ins>
        )}
      </>
    );
  }
  if (entry.action === "created") return <ins>{said(after)}</ins>;
  return (
    <>
      <del>{said(before, "before")}</del> <span aria-hidden>→</span>{" "}
      <span className="ob-visually-hidden">{t("now")}</span> <ins>{said(after)}</ins>
    </>
  );
}
