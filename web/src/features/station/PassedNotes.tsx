/** The newest notes about a line's pieces, written by the people who moved them before. */
import { useTranslation } from "react-i18next";
import type { ProcessRecord } from "@/contract";
import { sayMoment } from "@/shared/format/days";
import { useLanguage } from "@/shared/i18n";

const MOST = 2;

interface Note {
  text: string;
  by: string;
  at: string;
  process: string;
}

/** Return the note of an exit; of pieces that are still inside, the note of their entry. */
function noteOf(record: ProcessRecord): Note {
  const { productionProcessName: process, outputDate } = record;
  return outputDate === null
    ? { text: record.inputNotes, by: record.inputUsername, at: record.inputDate, process }
    : { text: record.outputNotes ?? "", by: record.outputUsername ?? "", at: outputDate, process };
}

/** Return the newest notes first. One movement may write its note into several records: it counts once. */
function newestOf(records: readonly ProcessRecord[]): Note[] {
  const written = records
    .filter(({ released }) => !released)
    .map(noteOf)
    .filter(({ text }) => text !== "")
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const once = new Map(written.map((note) => [`${note.at} ${note.text}`, note]));
  return [...once.values()].slice(0, MOST);
}

export function PassedNotes({ records }: { records: readonly ProcessRecord[] }) {
  const { t } = useTranslation("station");
  const language = useLanguage();
  const notes = newestOf(records);
  if (notes.length === 0) return null;
  return (
    <ul className="ob-note ob-opened__passed" aria-label={t("passed")}>
      {notes.map(({ text, by, at, process }) => (
        <li key={`${at} ${text}`}>
          <strong>{text}</strong>{" "}
          <small className="ob-quiet">
            {by} · {process} · <time dateTime={at}>{sayMoment(at, language)}</time>
          </small>
        </li>
      ))}
    </ul>
  );
}
