/** Show how an imported file was read: its encoding or sheet, which the user can change, and the doubts to answer. */
import Button from "antd/es/button";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { DoubtCode, FileChoices, FileDoubt, FileRead } from "@/contract";
import { Select } from "@/shared/form/Select";
import "./importing.css";

const ENCODINGS = ["utf-8", "windows-1252", "mac-roman", "cp850", "utf-16"] as const;
/** Answers that the user can take back, with the code of their doubt. */
const TAKEN_IN = [
  ["includeHidden", "hidden_rows"],
  ["includeFooter", "footer"],
  ["acceptFormulas", "formula_values"],
  ["acceptAltered", "altered_values"],
] as const;

interface Props {
  read: FileRead;
  choices: FileChoices;
  busy: boolean;
  /** Undefined if the file is no longer available. */
  onChoose: ((choices: FileChoices) => void) | undefined;
}

export function FileReading({ read, choices, busy, onChoose }: Props) {
  const { t } = useTranslation(["shared", "forms"]);
  const id = useId();
  const { encoding, sheet, sheets } = read;
  // The doubt about the columns is shown beside the columns.
  const doubts = read.doubts.filter(({ code }) => code !== "columns");
  const choose = (more: FileChoices) => onChoose?.(more);
  const disabled = busy || onChoose === undefined;
  const taken = TAKEN_IN.filter(([choice]) => choices[choice] === true);
  if (encoding === null && sheets.length < 2 && doubts.length === 0 && taken.length === 0) {
    return null;
  }
  return (
    <section className="ob-stack ob-file" aria-label={t("forms:file.title")}>
      {encoding !== null && (
        <div className="ob-row">
          <span id={`${id}-encoding`}>{t("forms:file.encoding")}</span>
          <Select
            aria-labelledby={`${id}-encoding`}
            className="ob-file__select"
            disabled={disabled}
            value={encoding}
            options={ENCODINGS.map((value) => ({
              value,
              label: t(`forms:file.encodings.${value}`),
            }))}
            onChange={(value) => choose({ encoding: value })}
          />
        </div>
      )}
      {sheet !== null && sheets.length > 1 && (
        <div className="ob-row">
          <span id={`${id}-sheet`}>{t("forms:file.sheet")}</span>
          <Select
            aria-labelledby={`${id}-sheet`}
            className="ob-file__select"
            disabled={disabled}
            value={sheet}
            options={sheets.map(({ name, hidden }) => ({
              value: name,
              label: hidden ? t("forms:file.hiddenSheet", { name }) : name,
            }))}
            onChange={(value) => choose({ sheet: value })}
          />
        </div>
      )}
      {doubts.map((doubt) => (
        <Doubt key={doubt.code} doubt={doubt} disabled={disabled} onAnswer={choose} />
      ))}
      {taken.map(([choice, code]) => (
        <div key={code} className="ob-row">
          {t(`forms:file.taken.${code}`)}
          <Button disabled={disabled} onClick={() => choose({ [choice]: false })}>
            {t("forms:file.leaveOut")}
          </Button>
        </div>
      ))}
      {onChoose === undefined && doubts.length > 0 && <p>{t("forms:file.gone")}</p>}
    </section>
  );
}

/** The possible answers to a doubt: the key of the text, and the choices to send. */
function answersOf({ code, params }: FileDoubt): [string, FileChoices][] {
  switch (code) {
    case "encoding":
      return [["right", { encoding: params["encoding"] as (typeof ENCODINGS)[number] }]];
    case "other_sheets":
      return [["thisSheet", { sheet: String(params["sheet"]) }]];
    case "hidden_rows":
      return [["includeHidden", { includeHidden: true }]];
    case "footer":
      return [["includeFooter", { includeFooter: true }]];
    case "formula_values":
      return [["acceptFormulas", { acceptFormulas: true }]];
    case "altered_values":
      return [["acceptAltered", { acceptAltered: true }]];
    case "mixed_dates":
      return [
        ["keep", { mixedDates: "keep" }],
        ["swap", { mixedDates: "swap" }],
      ];
    case "columns":
      return [];
  }
}

function Doubt(props: {
  doubt: FileDoubt;
  disabled: boolean;
  onAnswer: (choices: FileChoices) => void;
}) {
  const { doubt, disabled, onAnswer } = props;
  const { t } = useTranslation(["shared", "forms"]);
  const { code, params } = doubt;
  const rows = listed(params["rows"]);
  const columns = listed(params["columns"]);
  const more = Number(params["count"] ?? 0) > rows.length ? ", …" : "";
  const text = t(`forms:file.doubt.${code as Exclude<DoubtCode, "columns">}`, {
    rows: rows.join(", ") + more,
    columns: columns.join(", "),
    sample: String(params["sample"] ?? ""),
    sheet: String(params["sheet"] ?? ""),
    others: listed(params["others"]).join(", "),
  });
  const said =
    code === "hidden_rows"
      ? [
          ...(rows.length > 0 ? [text] : []),
          ...(columns.length > 0
            ? [t("forms:file.hiddenColumns", { columns: columns.join(", ") })]
            : []),
        ].join(" ")
      : text;
  return (
    <div className="ob-note ob-note--warning ob-row" role="group" aria-label={said}>
      <span>{said}</span>
      {answersOf(doubt).map(([answer, choices]) => (
        <Button key={answer} disabled={disabled} onClick={() => onAnswer(choices)}>
          {t(`forms:file.answer.${answer as "right"}`)}
        </Button>
      ))}
    </div>
  );
}

function listed(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Doubts about every row of a file; other doubts concern only the rows that they mark. */
const WHOLE_FILE: readonly DoubtCode[] = ["encoding", "other_sheets", "columns"];

/** The open doubt that keeps a row from being imported; null if there is none. */
export function openDoubt(
  marks: readonly DoubtCode[],
  doubts: readonly FileDoubt[],
): DoubtCode | null {
  const found = doubts.find(({ code }) => WHOLE_FILE.includes(code) || marks.includes(code));
  return found?.code ?? null;
}
