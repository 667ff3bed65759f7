/** Make the columns of a catalog's table. */
import type { TFunction } from "i18next";
import { formatMoney, formatNumber } from "@/shared/format/numbers";
import { Thumb } from "@/shared/picture/Thumb";
import type { Language } from "@/shared/language";
import { ActiveChip } from "@/shared/ui/Chip";
import { RecordLink } from "@/shared/ui/RecordLink";
import type { ColumnTools, Entry } from "./catalog";

export function columnTools<R extends Entry>(
  t: TFunction<["catalogs", "forms"]>,
  language: Language,
  onExpired: () => void,
): ColumnTools<R> {
  const head = (key: string, sorts = false) => ({
    key,
    title: t(`field.${key as "name"}`),
    ...(sorts ? { sorter: true } : {}),
  });
  return {
    name: (key, options) => ({
      ...head(key, options?.sorts ?? true),
      render: (_, record) => (
        <RecordLink id={record.id} className="ob-record-link ob-catalog__name">
          {String(record[key])}
        </RecordLink>
      ),
    }),
    text: (key, options) => ({
      ...head(key, options?.sorts),
      render: (_, record) => (
        <span className="ob-two-rows ob-catalog__text">{String(record[key] ?? "")}</span>
      ),
    }),
    number: (key, options) => ({
      ...head(key, options?.sorts),
      align: "right",
      render: (_, record) =>
        options?.currency === undefined
          ? formatNumber(Number(record[key]), language)
          : formatMoney(Number(record[key]), options.currency(record), language),
    }),
    own: (key, render, options) => ({
      ...head(key, options?.sorts),
      render: (_, record) => render(record),
    }),
    status: () => ({
      ...head("status", true),
      title: t("list.status"),
      render: (_, { status }) => <ActiveChip active={status === true} />,
    }),
    picture: () => ({
      key: "picture",
      title: t("forms:picture.label"),
      width: 76,
      render: (_, { thumbnail }) => <Thumb address={thumbnail} onExpired={onExpired} />,
    }),
  };
}
