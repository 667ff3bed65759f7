/** Make the columns of a list. */
import { Link } from "react-router";
import { formatNumber } from "@/shared/format/numbers";
import { formatInstant } from "@/shared/format/plant";
import type { Permission } from "@/contract";
import type { Language } from "@/shared/language";
import { Grams, Money } from "@/shared/ui/Facts";
import { RecordLink } from "@/shared/ui/RecordLink";
import type { ColumnTools, Word } from "./list";

export function columnTools<Row extends { id: number }>(
  say: (word: Word) => string,
  language: Language,
  may: (permission: Permission) => boolean,
  pathOf?: (row: Row) => string,
): ColumnTools<Row> {
  const own: ColumnTools<Row>["own"] = (key, head, draw, { sorts = false, ...options } = {}) => ({
    ...options,
    key,
    title: say(head),
    ...(sorts ? { sorter: true } : {}),
    render: (_, row) => draw(row),
  });
  const right: typeof own = (key, head, draw, options) =>
    own(key, head, draw, { ...options, align: "right" });
  return {
    own,
    text: (field, head, options) => own(field, head, (row) => row[field] as string, options),
    name: (field, head, { wide = false, none, ...options } = {}) =>
      own(
        field,
        head,
        (row) => {
          const text = (row[field] as string | null) || (none === undefined ? "" : say(none));
          return (
            <span
              className={wide ? "ob-cell-name ob-cell-name--wide" : "ob-cell-name"}
              title={text}
            >
              {text}
            </span>
          );
        },
        options,
      ),
    number: (field, head, options) =>
      right(field, head, (row) => formatNumber(row[field] as number, language), options),
    grams: (field, head, options) =>
      right(field, head, (row) => <Grams grams={row[field] as number | null} />, options),
    money: (field, head, options) =>
      right(
        field,
        head,
        (row) => (
          <Money
            amount={row[field] as number | null}
            currency={(row as Row & { currency: string }).currency}
          />
        ),
        options,
      ),
    instant: (field, head, { none, ...options } = {}) =>
      own(
        field,
        head,
        (row) =>
          formatInstant(row[field] as string | null) || (none === undefined ? "" : say(none)),
        options,
      ),
    link: (key, head, name, options) =>
      own(
        key,
        head,
        (row) =>
          pathOf === undefined ? (
            <RecordLink id={row.id}>{name(row)}</RecordLink>
          ) : (
            <Link
              className="ob-record-link"
              to={pathOf(row)}
              onClick={(event) => event.stopPropagation()}
            >
              {name(row)}
            </Link>
          ),
        options,
      ),
    button: (permission, head, Button) =>
      may(permission)
        ? [
            {
              key: "actions",
              title: <span className="ob-visually-hidden">{say(head)}</span>,
              align: "right",
              width: 64,
              render: (_, row) => <Button row={row} />,
            },
          ]
        : [],
  };
}
