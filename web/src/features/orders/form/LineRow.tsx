/**
 * One line of the grid. It uses plain inputs and renders only if it changed, so that 200 rows stay
 * fast.
 */
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import EllipsisOutlined from "@ant-design/icons/es/icons/EllipsisOutlined";
import Button from "antd/es/button";
import { memo, useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useProblemText } from "@/shared/form/NumberField";
import { sayDays } from "@/shared/format/days";
import { formatDay } from "@/shared/format/plant";
import { dayTyped, isDay } from "@/shared/format/typedDay";
import { PIECES, countable, readTyped } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { isBlank, type GridLine, type LineField } from "./lines";
import { ProductCell } from "./ProductCell";
import type { LineActions } from "./useLines";
import { fieldWord, NOTES_MOST, OTHERS } from "./values";

/** The fields that the row shows. The dialog has the others too. */
const IN_ROW: readonly string[] = ["deliveryDate", "notes"];
/** Most lines of text that the notes field shows. */
const NOTES_ROWS = 4;

export type Refused = Partial<Record<LineField, string>>;

export interface RowProps {
  line: GridLine;
  index: number;
  /**
   * The number of another line with the same product; and its id, if pieces can be added to that
   * line.
   */
  sameNumber: number | undefined;
  sameId: number | undefined;
  /** The order's delivery date, which applies if the line has none. */
  deliveryDate: string;
  /**
   * The day that the workshop offers for the line, with a chance of 80 %. Null: no offer.
   * Undefined: not known yet.
   */
  offeredDate: string | null | undefined;
  /** The user tried to save, so missing values are marked too. */
  tried: boolean;
  /** Messages of the server about this line. */
  refused: Refused | undefined;
  actions: LineActions;
  onDetails: (id: number) => void;
  onGo: (index: number) => void;
}

export const LineRow = memo(function LineRow(props: RowProps) {
  const { line, index, sameNumber, sameId, deliveryDate, tried, refused, actions } = props;
  const { t } = useTranslation(["orders", "forms", "shared"]);
  const whyId = useId();
  const number = index + 1;
  const { id } = line;
  const blank = isBlank(line);
  const missing = tried && !blank;
  const pieces = readTyped(line.quantity, PIECES);
  const quantityWhy = useProblemText(pieces, PIECES, { missing: t("forms:number.howMany") });
  const why: Refused = {
    ...(missing && line.item === null
      ? { item: t(line.search.trim() === "" ? "form.required" : "grid.notChosen") }
      : {}),
    ...(quantityWhy !== null && (pieces !== null || missing) ? { quantity: quantityWhy } : {}),
    ...(line.deliveryDate !== "" && (missing || line.deliveryDate.length >= 10)
      ? dayWhy(line.deliveryDate)
      : {}),
    ...refused,
  };
  const hidden =
    line.picture !== null || OTHERS.some((name) => line[name] !== "" && !IN_ROW.includes(name));

  function dayWhy(day: string): Refused {
    // A day in a short form is written in full when the user leaves the field.
    const isUnderstood = isDay(day) || (!missing && dayTyped(day.trim()) !== null);
    return isUnderstood ? {} : { deliveryDate: t("shared:days.wrong", { format: "YYYY-MM-DD" }) };
  }

  function field(col: "quantity" | "deliveryDate" | "notes") {
    return {
      "data-row": index,
      "data-col": col,
      className: "ob-grid__input",
      autoComplete: "off",
      readOnly: line.locked === true,
      "aria-label": t(`grid.${col}`, { number }),
      "aria-invalid": why[col] !== undefined,
      "aria-describedby": why[col] === undefined ? undefined : `${whyId}-${col}`,
      value: line[col],
      onChange: ({ target }: { target: { value: string } }) =>
        actions.change(id, { [col]: target.value }),
    } as const;
  }

  return (
    <li className={line.locked === true ? "ob-grid__row ob-grid__row--locked" : "ob-grid__row"}>
      <span className="ob-quiet ob-grid__number" aria-hidden>
        {number}
      </span>
      <Cell name="item" why={why.item} whyId={whyId}>
        <ProductCell
          line={line}
          index={index}
          actions={actions}
          wrong={why.item !== undefined}
          describedBy={why.item === undefined ? undefined : `${whyId}-item`}
        />
        {sameNumber !== undefined && (
          <span
            className="ob-row ob-grid__twice"
            role="group"
            aria-label={t("grid.twiceLabel", { number })}
          >
            <span>{t("grid.twice", { number: sameNumber })}</span>
            {sameId !== undefined && (
              <Button
                size="small"
                disabled={countable(pieces, PIECES) === null}
                onClick={() => {
                  actions.addTo(id, sameId);
                  props.onGo(sameNumber - 1);
                }}
              >
                {t("grid.addTo", { number: sameNumber })}
              </Button>
            )}
            <Button size="small" onClick={() => actions.change(id, { kept: true })}>
              {t("grid.keepBoth")}
            </Button>
          </span>
        )}
      </Cell>
      <Cell name="quantity" why={why.quantity} whyId={whyId}>
        <input {...field("quantity")} inputMode="numeric" />
      </Cell>
      <Cell name="deliveryDate" why={why.deliveryDate} whyId={whyId}>
        <input
          {...field("deliveryDate")}
          placeholder={deliveryDate}
          maxLength={40}
          data-completes
          onBlur={() => {
            const day = dayTyped(line.deliveryDate.trim());
            if (day !== null && day !== line.deliveryDate)
              actions.change(id, { deliveryDate: day });
          }}
        />
        {props.offeredDate === undefined && <p className="ob-small ob-grid__offered" />}
        {typeof props.offeredDate === "string" && (
          <OfferedDay
            day={props.offeredDate}
            isTaken={(line.deliveryDate || deliveryDate) === props.offeredDate}
            number={number}
            onTake={(day) => actions.change(id, { deliveryDate: day })}
          />
        )}
      </Cell>
      <Cell name="notes" why={why.notes} whyId={whyId}>
        {/* A single-line input would join the lines of the notes. */}
        <textarea
          {...field("notes")}
          rows={Math.min(NOTES_ROWS, line.notes.split("\n").length)}
          wrap="off"
          maxLength={NOTES_MOST}
        />
      </Cell>
      <span className="ob-grid__buttons">
        {line.locked !== true && (
          <button
            type="button"
            className={
              hidden
                ? "ob-icon-button ob-grid__button ob-grid__button--filled"
                : "ob-icon-button ob-grid__button"
            }
            aria-label={t("grid.more", { number })}
            title={t("grid.moreHint")}
            onClick={() => props.onDetails(id)}
          >
            <EllipsisOutlined aria-hidden />
          </button>
        )}
        {!blank && line.position === undefined && (
          <button
            type="button"
            className="ob-icon-button ob-grid__button"
            aria-label={t("form.remove", { number, item: line.item?.name ?? line.search })}
            onClick={() => actions.remove(id)}
          >
            <DeleteOutlined aria-hidden />
          </button>
        )}
      </span>
    </li>
  );
});

/** Offer a day for the line. The user chooses; nothing is filled in for them. */
function OfferedDay(props: {
  day: string;
  isTaken: boolean;
  number: number;
  onTake: (day: string) => void;
}) {
  const { day, isTaken, number, onTake } = props;
  const { t } = useTranslation("forecast");
  const language = useLanguage();
  const shown = sayDays(day, day, language);
  if (isTaken) {
    return (
      <span className="ob-quiet ob-small ob-grid__offered">{t("offer.taken", { day: shown })}</span>
    );
  }
  return (
    <Button
      size="small"
      type="link"
      className="ob-grid__offered"
      aria-label={t("offer.label", { day: shown, number })}
      title={t("offer.label", { day: formatDay(day), number })}
      onClick={() => onTake(day)}
    >
      {t("offer.take", { day: shown })}
    </Button>
  );
}

function Cell(props: {
  name: "item" | "quantity" | "deliveryDate" | "notes";
  why: string | undefined;
  whyId: string;
  children: ReactNode;
}) {
  const { name, why, whyId, children } = props;
  const { t } = useTranslation("orders");
  return (
    <span className={`ob-grid__cell ob-grid__cell--${name}`}>
      <span className="ob-grid__label" aria-hidden>
        {t(fieldWord(name))}
      </span>
      {children}
      {why !== undefined && (
        <span className="ob-number__why" id={`${whyId}-${name}`} role="alert">
          {why}
        </span>
      )}
    </span>
  );
}
