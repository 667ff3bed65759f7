/** The rows of a spreadsheet as they are understood; the cells that are refused are fields. */
import Button from "antd/es/button";
import Table, { type ColumnsType } from "antd/es/table";
import { useTranslation } from "react-i18next";
import type { OfferedProduct } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { DATES } from "./lines";
import { cellOf, textOf, type Column, type Judged, type Sheet, type SheetRow } from "./sheet";

const HEIGHT = 380;

interface Props {
  sheet: Sheet;
  judged: Judged[];
  loading: boolean;
  onCell: (row: SheetRow, column: Column, text: string) => void;
  onProduct: (row: SheetRow, product: OfferedProduct) => void;
}

export function SheetTable({ sheet, judged, loading, onCell, onProduct }: Props) {
  const { t } = useTranslation(["orders", "forms"]);
  const language = useLanguage();
  const refusalOf = (one: Judged, column: Column) =>
    one.refusals.find((refusal) => refusal.column === column);
  const above = (row: SheetRow) => {
    const before = sheet.rows.slice(0, sheet.rows.indexOf(row)).toReversed();
    return before.map((each) => textOf(cellOf(sheet, each, "item"))).find((text) => text !== "");
  };

  function field(one: Judged, column: Column, label: string) {
    return (
      <input
        className="ob-pasted__input"
        aria-label={t("sheet.cell", { row: one.row.number, column: label })}
        aria-invalid
        autoComplete="off"
        value={textOf(cellOf(sheet, one.row, column))}
        onChange={({ target }) => onCell(one.row, column, target.value)}
      />
    );
  }

  const columns: ColumnsType<Judged> = [
    {
      key: "row",
      title: t("sheet.row"),
      width: 64,
      align: "right",
      render: (_, { row }) => row.number,
    },
    {
      key: "item",
      title: t("field.item"),
      width: 300,
      render: (_, one) => {
        const refusal = refusalOf(one, "item");
        if (refusal === undefined) {
          return one.item !== null && <Product name={one.item.name} itemKey={one.item.key} />;
        }
        if (loading) return textOf(cellOf(sheet, one.row, "item"));
        const same = refusal.why === "itemMissing" ? above(one.row) : undefined;
        return (
          <span className="ob-pasted__product">
            {refusal.why === "itemSeveral" ? (
              one.several.map((product) => (
                <Button key={product.id} onClick={() => onProduct(one.row, product)}>
                  {product.key} · {product.name}
                </Button>
              ))
            ) : (
              <OptionSelect
                catalog="items"
                label={t("sheet.cell", { row: one.row.number, column: t("field.item") })}
                placeholder={refusal.other ?? t("form.addItemHint")}
                value={null}
                onChange={(option) => {
                  if (option !== null) onProduct(one.row, { ...option, key: "", thumbnail: null });
                }}
              />
            )}
            {same !== undefined && (
              <Button onClick={() => onCell(one.row, "item", same)}>
                {t("sheet.asAbove", { text: same })}
              </Button>
            )}
          </span>
        );
      },
    },
    {
      key: "quantity",
      title: t("field.quantity"),
      width: 120,
      align: "right",
      render: (_, one) =>
        refusalOf(one, "quantity") === undefined
          ? one.quantity !== null && formatNumber(one.quantity, language)
          : field(one, "quantity", t("field.quantity")),
    },
    ...DATES.filter((date) => date === "deliveryDate" || sheet.columns.includes(date)).map(
      (date): ColumnsType<Judged>[number] => ({
        key: date,
        title: t(`field.${date}`),
        width: 130,
        render: (_, one) =>
          refusalOf(one, date) === undefined
            ? one.dates[date] || <span className="ob-quiet">{t("sheet.orders")}</span>
            : field(one, date, t(`field.${date}`)),
      }),
    ),
    {
      key: "notes",
      title: t("field.lineNotes"),
      width: 180,
      render: (_, one) =>
        refusalOf(one, "notes") === undefined ? (
          <span className="ob-pasted__notes" title={one.notes}>
            {one.notes}
          </span>
        ) : (
          field(one, "notes", t("field.lineNotes"))
        ),
    },
    {
      key: "result",
      title: t("sheet.result"),
      width: 260,
      render: (_, one) =>
        loading ? (
          "…"
        ) : one.refusals.length === 0 ? (
          <span className="ob-pasted__good">{t("sheet.understood")}</span>
        ) : (
          <ul className="ob-pasted__why">
            {one.refusals.map(({ column, why, other }) => (
              <li key={column}>
                {t(column === "notes" ? "field.lineNotes" : `field.${column}`)}:{" "}
                {t(`sheet.why.${why}`, { text: other ?? "" })}
              </li>
            ))}
          </ul>
        ),
    },
  ];
  const width = columns.reduce((sum, column) => sum + Number(column.width), 0);
  return (
    <Table<Judged>
      virtual
      className="ob-pasted__table"
      size="small"
      rowKey={({ row }) => row.number}
      columns={columns}
      dataSource={judged}
      pagination={false}
      scroll={{ x: width, y: HEIGHT }}
      rowClassName={({ refusals }) => (refusals.length > 0 ? "ob-pasted__row--refused" : "")}
    />
  );
}

function Product({ name, itemKey }: { name: string; itemKey: string }) {
  return (
    <span className="ob-pasted__name" title={`${itemKey} · ${name}`}>
      {name} <span className="ob-quiet">{itemKey}</span>
    </span>
  );
}
