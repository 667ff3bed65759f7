/** Table of a spreadsheet's rows as they are understood. Refused cells are input fields. */
import Button from "antd/es/button";
import Table, { type ColumnsType } from "antd/es/table";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OfferedProduct } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { DATES, fieldWord, TEXTS } from "./values";
import { cellOf, textOf, type Column, type Judged, type Sheet, type SheetRow } from "./sheet";
import { reasonOf } from "./sheetWords";

const HEIGHT = 380;

interface Props {
  sheet: Sheet;
  judged: readonly Judged[];
  refusedOnly: boolean;
  loading: boolean;
  onCell: (row: SheetRow, column: Column, text: string) => void;
  onProduct: (row: SheetRow, product: OfferedProduct) => void;
}

export function SheetTable({ sheet, judged, refusedOnly, loading, onCell, onProduct }: Props) {
  const { t } = useTranslation(["orders", "shared", "forms"]);
  const language = useLanguage();
  const refusalOf = (one: Judged, column: Column) =>
    one.refusals.find((refusal) => refusal.column === column);
  // Keep a corrected cell editable and its row visible: "1" is valid while the user types "12".
  const [mended, setMended] = useState<ReadonlySet<string>>(() => new Set());
  const placeOf = ({ row }: Judged, column: Column) => `${column}${row.number}`;
  const isField = (one: Judged, column: Column) =>
    refusalOf(one, column) !== undefined || mended.has(placeOf(one, column));
  const isWrong = (one: Judged) =>
    (one.leftOut === null && one.refusals.length > 0) ||
    sheet.columns.some((column) => column !== null && mended.has(placeOf(one, column)));
  const wrong = judged.filter(isWrong);
  // Show the wrong rows first, because nobody finds them among 5,000.
  const shown = refusedOnly ? wrong : [...wrong, ...judged.filter((one) => !isWrong(one))];
  /** Find the row above with the value of a merged cell. */
  const above = (row: SheetRow) =>
    sheet.rows
      .slice(0, sheet.rows.indexOf(row))
      .findLast((each) => each.chosen !== undefined || textOf(cellOf(sheet, each, "item")) !== "");

  function field(one: Judged, column: Column, label: string) {
    return (
      <input
        className="ob-mend"
        aria-label={t("sheet.cell", { row: one.row.number, column: label })}
        aria-invalid={refusalOf(one, column) !== undefined}
        autoComplete="off"
        value={textOf(cellOf(sheet, one.row, column))}
        onChange={({ target }) => {
          setMended(new Set([...mended, placeOf(one, column)]));
          onCell(one.row, column, target.value);
        }}
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
          <span className="ob-stack ob-stack--tight ob-pasted__product">
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
                  if (option === null) return;
                  onProduct(one.row, { ...option, key: "", nameEnglish: "", thumbnail: null });
                }}
              />
            )}
            {same !== undefined && (
              <Button
                onClick={() =>
                  same.chosen === undefined
                    ? onCell(one.row, "item", textOf(cellOf(sheet, same, "item")))
                    : onProduct(one.row, same.chosen)
                }
              >
                {t("sheet.asAbove", {
                  text: same.chosen?.name ?? textOf(cellOf(sheet, same, "item")),
                })}
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
        isField(one, "quantity")
          ? field(one, "quantity", t("field.quantity"))
          : one.quantity !== null && formatNumber(one.quantity, language),
    },
    ...DATES.filter((date) => date === "deliveryDate" || sheet.columns.includes(date)).map(
      (date): ColumnsType<Judged>[number] => ({
        key: date,
        title: t(`field.${date}`),
        width: 130,
        render: (_, one) =>
          isField(one, date)
            ? field(one, date, t(`field.${date}`))
            : one.dates[date] || <span className="ob-quiet">{t("sheet.orders")}</span>,
      }),
    ),
    ...TEXTS.filter((text) => text === "notes" || sheet.columns.includes(text)).map(
      (text): ColumnsType<Judged>[number] => ({
        key: text,
        title: t(fieldWord(text)),
        width: 180,
        render: (_, one) =>
          isField(one, text) ? (
            field(one, text, t(fieldWord(text)))
          ) : (
            <span className="ob-pasted__notes" title={one[text]}>
              {one[text]}
            </span>
          ),
      }),
    ),
    {
      key: "result",
      title: t("sheet.result"),
      width: 260,
      render: (_, one) =>
        loading ? (
          "…"
        ) : one.leftOut !== null ? (
          <span className="ob-quiet">
            {t("sheet.leftOut", { why: t(`forms:file.mark.${one.leftOut}`) })}
          </span>
        ) : one.refusals.length === 0 ? (
          <>
            <span className="ob-pasted__good">{t("sheet.understood")}</span>
            {(one.row.marks ?? []).map((mark) => (
              <span key={mark} className="ob-quiet ob-file__mark">
                {t(`forms:file.mark.${mark}`)}
              </span>
            ))}
          </>
        ) : (
          <ul className="ob-wrong ob-pasted__why">
            {one.refusals.map((refusal) => (
              <li key={refusal.column}>{reasonOf(t, refusal)}</li>
            ))}
          </ul>
        ),
    },
  ];
  const width = columns.reduce((sum, column) => sum + Number(column.width), 0);
  return (
    <Table<Judged>
      virtual
      size="small"
      rowKey={({ row }) => row.number}
      columns={columns}
      dataSource={shown}
      pagination={false}
      scroll={{ x: width, y: HEIGHT }}
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
