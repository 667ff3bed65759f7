/**
 * Show the meaning of each column of a file. The user can change it. No two columns have the same
 * meaning.
 */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { FileDoubt } from "@/contract";
import { Select } from "@/shared/form/Select";

export interface FileColumn {
  head: string;
  /** An example value of the column. */
  sample: string;
  /** What it means; null if it is not used. */
  column: string | null;
}

export interface MeaningsProps {
  columns: readonly FileColumn[];
  options: readonly { value: string; label: string }[];
  /** False if the columns have no heads. */
  byHeads: boolean;
  /** What the user must confirm. */
  doubt?: FileDoubt | undefined;
  /** Heads that share their column with another head, if the user need not choose. */
  twice?: readonly string[];
  disabled?: boolean;
  /** A message if the last change took a meaning from another column; null if not. */
  note: string | null;
  onChange: (columns: (string | null)[], note: string | null) => void;
}

const NOT_USED = "none";

export function ColumnMeanings(props: MeaningsProps) {
  const { columns, options, byHeads, doubt, twice = [], disabled = false, note, onChange } = props;
  const { t } = useTranslation(["shared", "forms"]);
  const nameOf = (place: number) => columns[place]?.head || letterOf(place);
  const labelOf = (meaning: string) => options.find(({ value }) => value === meaning)?.label ?? "";
  const meanings = columns.map(({ column }) => column);
  const used = meanings.filter((meaning) => meaning !== null).length;

  function choose(place: number, chosen: string) {
    const meaning = chosen === NOT_USED ? null : chosen;
    const former = meaning === null ? -1 : meanings.indexOf(meaning);
    const names = { from: nameOf(former), to: nameOf(place) };
    onChange(
      meanings.map((each, at) => {
        if (at === place) return meaning;
        return each !== null && each === meaning ? null : each;
      }),
      meaning === null || former < 0 || former === place
        ? null
        : t("forms:file.columns.moved", { ...names, meaning: labelOf(meaning) }),
    );
  }

  const fields = (
    <fieldset className="ob-row">
      <legend className="ob-quiet">
        {t(byHeads ? "forms:file.columns.byHeads" : "forms:file.columns.byPlaces")}
      </legend>
      {columns.map(({ head, sample, column }, place) => {
        if (head === "" && sample === "" && column === null) return null;
        const letter = letterOf(place);
        return (
          <label key={letter} className="ob-stack ob-stack--tight ob-columns__one">
            <span className="ob-quiet ob-columns__name" title={`${head} · ${sample}`}>
              {head || letter} · {sample || t("forms:file.columns.blank")}
            </span>
            <Select
              aria-label={t("forms:file.columns.column", { letter: head || letter })}
              value={column ?? NOT_USED}
              disabled={disabled}
              showSearch
              options={[...options, { value: NOT_USED, label: t("forms:file.columns.notUsed") }]}
              onChange={(chosen: string) => choose(place, chosen)}
            />
          </label>
        );
      })}
    </fieldset>
  );
  return (
    <>
      {doubt !== undefined && (
        <ColumnsDoubt
          params={doubt.params}
          disabled={disabled}
          onConfirm={() => onChange(meanings, null)}
        />
      )}
      {twice.length > 0 && (
        <p className="ob-quiet">{t("forms:file.columns.twice", { heads: twice.join(", ") })}</p>
      )}
      {note !== null && (
        <p className="ob-note ob-note--warning" role="status">
          {note}
        </p>
      )}
      {byHeads && doubt === undefined ? (
        <details open={note !== null || columns.length <= FEW}>
          <summary>{t("forms:file.columns.used", { used, all: columns.length })}</summary>
          {fields}
        </details>
      ) : (
        fields
      )}
    </>
  );
}

/** Columns that fit in one row of the dialog; more are folded once nothing is doubtful. */
const FEW = 6;

function letterOf(place: number): string {
  const letter = String.fromCodePoint(65 + (place % 26));
  return place < 26 ? letter : letterOf(Math.floor(place / 26) - 1) + letter;
}

function ColumnsDoubt(props: {
  params: FileDoubt["params"];
  disabled: boolean;
  onConfirm: () => void;
}) {
  const { params, disabled, onConfirm } = props;
  const { t } = useTranslation(["shared", "forms"]);
  const named = (["missing", "duplicate", "proposed", "unknown"] as const).flatMap((why) => {
    const heads = params[why];
    if (!Array.isArray(heads) || heads.length === 0) return [];
    const names = heads.map((head) => String(head) || t("forms:file.columns.noHead")).join(", ");
    return [{ why, text: t(`forms:file.columns.why.${why}`, { heads: names }) }];
  });
  const said = named.map(({ text }) => text).join(" ");
  return (
    <div className="ob-note ob-note--warning ob-row" role="group" aria-label={said}>
      <span>{said}</span>
      {named.every(({ why }) => why !== "missing") && (
        <Button disabled={disabled} onClick={onConfirm}>
          {t("forms:file.columns.right")}
        </Button>
      )}
    </div>
  );
}
