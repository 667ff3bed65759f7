/** Show one row of a file: its record, and what the import would do to it. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { ImportRow } from "@/contract";
import type { Columns } from "@/shared/ui/DataTable";
import type { CatalogName } from "@/shared/http/keys";
import "@/shared/importing/importing.css";
import "@/shared/ui/ui.css";
import "../catalogs.css";

/** Translation groups with the names of the parts of compact cells. */
const PARTS = ["place", "address", "phone"] as const;
type T = TFunction<["catalogs", "shared"]>;

const CHIPS: Record<ImportRow["outcome"], string> = {
  new: "Done",
  changed: "Approved",
  unchanged: "New",
  refused: "Canceled",
  doubtful: "Canceled",
};

/**
 * Name a column as the form does. For a compact cell, add the row and the part: "Domicilios 2,
 * Calle".
 */
function columnName(t: T, field: string): string {
  const [column = "", place, part] = field.split(".");
  const name = t(`field.${column as "name"}`, { defaultValue: column });
  const number = Number(place);
  const inside = Number.isInteger(number) ? part : place;
  const words = PARTS.map((group) => `${group}.${inside}` as "place.city");
  return [
    Number.isInteger(number) ? `${name} ${number + 1}` : name,
    ...(inside === undefined ? [] : [t(words, { defaultValue: inside })]),
  ].join(", ");
}

export function rowColumns(t: T, name: CatalogName): Columns<ImportRow> {
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
    { key: "changes", title: t("import.changes"), render: (_, row) => <Changes row={row} /> },
  ];
}

function Outcome({ row: { outcome, marks } }: { row: ImportRow }) {
  const { t } = useTranslation(["catalogs", "shared"]);
  return (
    <>
      <span className={`ob-chip ob-chip--${CHIPS[outcome]}`}>{t(`import.will.${outcome}`)}</span>
      {marks.map((mark) => (
        <span key={mark} className="ob-quiet ob-file__mark">
          {t(`shared:file.mark.${mark}`)}
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

function Changes({ row }: { row: ImportRow }) {
  const { t } = useTranslation(["catalogs", "shared"]);
  if (row.outcome === "unchanged") return null;
  if (row.outcome === "refused") {
    return (
      <ul className="ob-import__changes">
        {row.errors.map(({ field, message }) => (
          <li key={`${field}/${message}`} className="ob-wrong">
            {field === "" ? message : `${columnName(t, field)}: ${message}`}
          </li>
        ))}
      </ul>
    );
  }
  const shown = row.changes.filter(({ before, after }) => read(t, after) !== "" || before !== null);
  return (
    <ul className="ob-import__changes">
      {shown.map(({ field, before, after }) => (
        <li key={field}>
          <span className="ob-quiet">{columnName(t, field)}:</span>{" "}
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

function read(t: T, value: unknown): string {
  if (typeof value === "boolean") return value ? t("import.yes") : t("import.no");
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function RowCard({ row }: { row: ImportRow; name: CatalogName }) {
  const { t } = useTranslation("catalogs");
  return (
    <article className="ob-padded">
      <p className="ob-bar ob-apart ob-below">
        <span className="ob-quiet">{t("import.rowNumber", { number: row.number })}</span>
        <Outcome row={row} />
      </p>
      <About row={row} />
      <Changes row={row} />
    </article>
  );
}
