/**
 * Card of pieces: those of a line inside a process, those of a late or likely late line that wait
 * for it, or those of a batch. Shows item, age, delivery date, and who has the pieces.
 */
import FieldTimeOutlined from "@ant-design/icons/es/icons/FieldTimeOutlined";
import WarningFilled from "@ant-design/icons/es/icons/WarningFilled";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { batchPath } from "@/entities/batches/batches.api";
import { formatNumber } from "@/shared/format/numbers";
import { daysSince, minutesSince, today } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import { scannedPath } from "@/entities/scanning/openLine";
import { useMay, useMayMove } from "@/shared/session/session";
import { useProcessName } from "@/entities/processes";
import { standingText } from "@/entities/standing/standing";
import { CallChip } from "@/entities/talk/CallChip";
import { type Card } from "./boardView";
import { heatOf, shortName, timesUsual } from "./cardLook";
import "./Board.css";
import "./BoardCard.css";

interface Props {
  card: Card;
  now: number;
  usualSeconds: number | null;
  /** Link to the line. */
  opens: boolean;
}

/** The room of an age beside what a card waits for, in letters: " 47 h". */
const AGE_LETTERS = 5;

export const BoardCard = memo(function BoardCard({ card, now, usualSeconds, opens }: Props) {
  const { t } = useTranslation("shopFloor");
  const { t: standing } = useTranslation("standing");
  const language = useLanguage();
  const waits = "waitsAfter" in card;
  const likely = card.likelyLate === true && !card.late;
  const minutes = card.since === null ? null : minutesSince(card.since, now);
  // The usual time is known only for pieces inside, not for waiting ones.
  const times = waits || minutes === null ? 0 : timesUsual(minutes, usualSeconds);
  const usual = times < 2 ? null : t("timesUsual", { count: Math.floor(times) });
  const nameOf = useProcessName();
  const batch = "batch" in card ? card.batch : null;
  const po =
    batch === null ? card.customerSalesOrderId : t("batch.title", { number: batch.number });
  const line =
    batch === null
      ? t("line", { position: card.position })
      : t("batch.lines", { count: batch.lines.length });
  const path = batch === null ? scannedPath(card.salesOrderId, card.position) : batchPath(batch.id);
  const [mayManage, mayMove] = [useMay("ManageBatches"), useMayMove()];
  const isLink = opens && (batch === null || mayManage || mayMove);
  const items = "parts" in card ? [...new Set(card.parts.map(({ itemName }) => itemName))] : [];
  const item =
    batch === null ? card.itemName : [batch.name, items.join(", ")].filter(Boolean).join(" · ");
  // The whole card is its link, so that it shows for a pointer anywhere on the card.
  const sentence =
    batch === null
      ? card.line && standingText(card.line, now, standing, language, nameOf)
      : undefined;
  const after = "waitsAfter" in card && card.waitsAfter !== null ? nameOf(card.waitsAfter) : "";
  const call = callOf(card);
  const waitsText = after === "" ? t("waits") : t("waitsAfter", { process: after });
  return (
    <li
      className={`ob-board-card ${waits ? "ob-board-card--waits" : `ob-board-card--heat${heatOf(times)}`} ${card.late ? "ob-board-card--late" : ""} ${likely ? "ob-board-card--likely" : ""}`}
      data-record={card.recordId}
      data-line={`${card.salesOrderId}-${card.position}`}
    >
      <Thumb className="ob-board-card__picture" address={card.image} />
      <p className="ob-board-card__order" style={{ "--letters": po.length }}>
        {isLink ? (
          <Link to={path} title={sentence}>
            {po}
          </Link>
        ) : (
          po
        )}
      </p>
      <p className="ob-board-card__pieces">
        <strong>{formatNumber(card.pieces, language)}</strong>
        <small>{t("of", { count: card.quantity })}</small>
      </p>
      <p className="ob-board-card__item" title={item}>
        <span>{line}</span> {item}
      </p>
      <p className="ob-board-card__state">
        <span
          className="ob-board-card__age"
          style={{ "--letters": waitsText.length + AGE_LETTERS }}
        >
          {waits && <small>{waitsText} </small>}
          {card.since !== null && <time dateTime={card.since}>{elapsed(card.since, now, t)}</time>}
          {usual !== null && (
            <small role="img" aria-label={usual} title={usual}>
              {t("times", { count: Math.floor(times) })}
            </small>
          )}
        </span>
        {call !== null && <CallChip call={call} />}
        <span
          className="ob-board-card__who"
          title={card.by}
          style={{ "--letters": shortName(card.by).length }}
        >
          <span className="ob-board-card__who-whole">{card.by}</span>
          <span className="ob-board-card__who-short">{shortName(card.by)}</span>
        </span>
        {card.deliveryDate !== null && (
          <span className={dueClass(card.late, likely)}>
            {likely && (
              <>
                <FieldTimeOutlined aria-hidden />
                <span className="ob-visually-hidden">{t("likelyLate")} </span>
              </>
            )}
            {card.late && (
              <>
                <WarningFilled aria-hidden />
                <span className="ob-visually-hidden">{t("late")} </span>
              </>
            )}
            {card.deliveryDate}
          </span>
        )}
      </p>
    </li>
  );
});

/** The open call of the card's line; of a batch, that of its first line with one. */
function callOf(card: Card) {
  const lines = "parts" in card ? card.parts.map(({ line }) => line) : [card.line];
  return lines.flatMap((line) => line?.call ?? [])[0] ?? null;
}

function dueClass(late: boolean, likely: boolean): string {
  if (late) return "ob-board-card__due--late";
  return likely ? "ob-board-card__due--likely" : "ob-board-card__due";
}

/** Minutes below an hour, hours below two days, then days. */
const HOUR = 60;
const DAY = 24 * HOUR;

function elapsed(
  since: string,
  now: number,
  t: ReturnType<typeof useTranslation<"shopFloor">>["t"],
): string {
  const minutes = minutesSince(since, now);
  if (minutes < HOUR) return t("minutes", { count: minutes });
  if (minutes < 2 * DAY) return t("hours", { count: Math.floor(minutes / HOUR) });
  return t("days", { count: daysSince(since, today(new Date(now))) });
}
