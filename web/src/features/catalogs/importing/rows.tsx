/** Show one row of a file: its record, and what the import would do to it. */
import type { TFunction } from "i18next";
import { useId, type FocusEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ImportRow } from "@/contract";
import type { Columns } from "@/shared/ui/DataTable";
import type { Imported } from "./imports.api";
import "@/entities/importing/importing.css";
import "@/shared/ui/ui.css";
import "../catalogs.css";

/** Translation groups with the names of the parts of compact cells. */
const PARTS = ["place", "address", "phone"] as const;
type T = TFunction<["catalogs", "shared", "forms"]>;

const CHIPS: Record<ImportRow["outcome"], string> = {
  new: "Done",
  changed: "Approved",
  unchanged: "New",
  refused: "Canceled",
  doubtful: "Canceled",
};

/** Column → its name on screen. */
type Labels = ReadonlyMap<string, string>;
type Mend = (row: number, cells: Record<string, string>) => void;

/** Name a column, and the part of a compact cell: "Domicilios 2, Calle". */
function columnName(t: T, label: string, field: string): string {
  const [, place, part] = field.split(".");
  const number = Number(place);
  const inside = Number.isInteger(number) ? part : place;
  const words = PARTS.map((group) => `${group}.${inside}` as "place.city");
  return [
    Number.isInteger(number) ? `${label} ${number + 1}` : label,
    ...(inside === undefined ? [] : [t(words, { defaultValue: inside })]),
  ].join(", ");
}

export function rowColumns(t: T, name: Imported, labels: Labels, onMend: Mend): Columns<ImportRow> {
  return [
    { key: "number", title: t("import.row"), align: "right", width: 76, dataIndex: "number" },
    {
      key: "outcome",
      title: t("import.willBe"),
      width: 130,
      render: (_, row) => <Outcome row={row} />,
    },
    {
      key: "label",
      title: t(`${name}.one`),
      render: (_, row) => <About row={row} />,
    },
    {
      key: "changes",
      title: t("import.changes"),
      render: (_, row) => <Changes row={row} labels={labels} onMend={onMend} />,
    },
  ];
}

function Outcome({ row: { outcome, marks } }: { row: ImportRow }) {
  const { t } = useTranslation(["catalogs", "shared", "forms"]);
  return (
    <>
      <span className={`ob-chip ob-chip--${CHIPS[outcome]}`}>{t(`import.will.${outcome}`)}</span>
      {marks.map((mark) => (
        <span key={mark} className="ob-quiet ob-file__mark">
          {t(`forms:file.mark.${mark}`)}
        </span>
      ))}
    </>
  );
}

function About({ row: { key, label } }: { row: ImportRow }) {
  const names = [...new Set([key, label])].filter((name) => name !== "");
  return (
    <span className="ob-two-rows ob-catalog__text">
      {names.map((name, place) => (
        <span key={name}>
          {place > 0 && " · "}
          {name === key ? <strong>{name}</strong> : name}
        </span>
      ))}
    </span>
  );
}

interface ChangesProps {
  row: ImportRow;
  labels: Labels;
  onMend: Mend;
}

function Changes({ row, labels, onMend }: ChangesProps) {
  const { t } = useTranslation(["catalogs", "shared", "forms"]);
  const columnOf = (field: string) => field.split(".")[0] ?? "";
  // A corrected cell stays a field: the user may be typing in it.
  const wrong = [...new Set([...row.mended, ...row.errors.map(({ field }) => columnOf(field))])];
  const changes = row.outcome === "new" || row.outcome === "changed" ? row.changes : [];
  const shown = changes.filter(({ before, after }) => read(t, after) !== "" || before !== null);
  return (
    <ul className="ob-import__changes">
      {wrong.toSorted().map((column) => (
        <WrongCell
          key={column}
          row={row}
          label={labels.get(column) ?? column}
          column={column}
          errors={row.errors.filter(({ field }) => columnOf(field) === column)}
          onMend={onMend}
        />
      ))}
      {shown.map(({ field, before, after }) => (
        <li key={`changes/${field}`}>
          <span className="ob-quiet">{labels.get(field) ?? field}:</span>{" "}
          {row.outcome === "changed" && (
            <>
              <del>{read(t, before) || t("import.blank")}</del>
              {" → "}
            </>
          )}
          <ins>{read(t, after) || t("import.blank")}</ins>
        </li>
      ))}
    </ul>
  );
}

/** A refused or corrected cell: what is wrong with it, and a field to correct it. */
function WrongCell(props: {
  row: ImportRow;
  column: string;
  label: string;
  errors: ImportRow["errors"];
  onMend: Mend;
}) {
  const { row, column, label, errors, onMend } = props;
  const { t } = useTranslation(["catalogs", "shared", "forms"]);
  const cell = row.cells[column];
  const id = useId();
  const said = errors.map(({ field, message }) =>
    label === "" ? message : `${columnName(t, label, field)}: ${message}`,
  );
  const why = [...new Set(said)].join(" · ");
  const canMend = cell !== undefined && errors.every(({ code }) => code !== "permission_denied");
  const mend = (text: string) => onMend(row.number, { [column]: text });
  const field = {
    className: "ob-mend",
    defaultValue: cell,
    autoComplete: "off",
    "aria-label": t("import.cell", { column: label, row: row.number }),
    "aria-invalid": errors.length > 0,
    "aria-describedby": id,
    onBlur: ({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      if (target.value !== cell) mend(target.value);
    },
  };
  return (
    <li>
      <span id={id} className={errors.length > 0 ? "ob-wrong" : "ob-quiet"}>
        {errors.length > 0 ? why : t("import.mended", { column: label })}
      </span>
      {canMend &&
        (cell.includes("\n") ? (
          <textarea {...field} rows={Math.min(6, cell.split("\n").length)} />
        ) : (
          <input
            {...field}
            onKeyDown={({ key, currentTarget }) => {
              if (key === "Enter") mend(currentTarget.value);
            }}
          />
        ))}
    </li>
  );
}

function read(t: T, value: unknown): string {
  if (typeof value === "boolean") return value ? t("import.yes") : t("import.no");
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function RowCard({ row, labels, onMend }: ChangesProps) {
  const { t } = useTranslation("catalogs");
  return (
    <article className="ob-padded">
      <p className="ob-bar ob-apart ob-below">
        <span className="ob-quiet">{t("import.rowNumber", { number: row.number })}</span>
        <Outcome row={row} />
      </p>
      <About row={row} />
      <Changes row={row} labels={labels} onMend={onMend} />
    </article>
  );
}
