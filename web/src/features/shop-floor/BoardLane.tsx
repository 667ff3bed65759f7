/** One process: what is inside now, the late ones first, then the longest there. */
import { useEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { ShopFloorCard, ShopFloorLane } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { minutesSince } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";

interface Props {
  lane: ShopFloorLane;
  nameOf: (card: ShopFloorCard) => string;
  now: number;
}

export function BoardLane({ lane, nameOf, now }: Props) {
  const { t } = useTranslation("shopFloor");
  const language = useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const fitting = useFitting(list);

  const cards = lane.cards.toSorted((one, other) => Number(other.late) - Number(one.late));
  const shown = cards.slice(0, fitting);
  const hidden = cards.length - shown.length;
  const pieces = cards.reduce((sum, card) => sum + card.pieces, 0);
  return (
    <section className="ob-lane" aria-label={lane.productionProcessName}>
      <header className="ob-lane__head">
        <h2>{lane.productionProcessName}</h2>
        <span className="ob-lane__pieces">
          {t("inside", { count: pieces, pieces: formatNumber(pieces, language) })}
        </span>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <ul className="ob-lane__cards" ref={list} tabIndex={0} aria-label={t("cards")}>
        {shown.map((card) => (
          <BoardCard key={nameOf(card)} card={card} name={nameOf(card)} now={now} />
        ))}
        {cards.length === 0 && <li className="ob-lane__empty">{t("empty")}</li>}
      </ul>
      <footer className="ob-lane__foot">
        <span>{t("leftToday", { pieces: formatNumber(lane.leftToday, language) })}</span>
        {hidden > 0 && <strong>{t("hidden", { count: hidden })}</strong>}
      </footer>
    </section>
  );
}

/** How many cards of one height a lane can show whole; a wall screen cannot be scrolled. */
function useFitting(list: RefObject<HTMLElement | null>): number {
  const [fitting, setFitting] = useState(Infinity);

  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const style = getComputedStyle(element);
      if (style.overflowY !== "hidden") return setFitting(Infinity);
      const card = Number.parseFloat(style.getPropertyValue("--card-height"));
      const gap = Number.parseFloat(style.rowGap);
      return setFitting(Math.max(1, Math.floor((element.clientHeight + gap) / (card + gap))));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);

  return fitting;
}

const HOUR = 60;
const DAY = 24 * HOUR;

interface BoardCardProps {
  card: ShopFloorCard;
  /** Unique on the board, the same in whichever lane the card stands. */
  name: string;
  now: number;
}

/** Pieces of a line inside a process: what they are, since when, who brought them in. */
function BoardCard({ card, name, now }: BoardCardProps) {
  const { t } = useTranslation("shopFloor");
  const minutes = minutesSince(card.since, now);
  return (
    <li
      className={card.late ? "ob-board-card ob-board-card--late" : "ob-board-card"}
      data-glide={name}
    >
      <p className="ob-board-card__order">
        <span className="ob-board-card__po">{card.customerSalesOrderId}</span>
        <span className="ob-board-card__line">{t("line", { position: card.position })}</span>
      </p>
      <p className="ob-board-card__item">{card.itemName}</p>
      <p className="ob-board-card__row">
        <strong>{t("pieces", { pieces: card.pieces, count: card.quantity })}</strong>
        <time className="ob-board-card__age" dateTime={card.since}>
          {elapsed(minutes, t)}
        </time>
      </p>
      <p className="ob-board-card__row">
        <span className="ob-board-card__who">{card.by}</span>
        {card.late && <span className="ob-board-card__late">{t("late")}</span>}
      </p>
    </li>
  );
}

function elapsed(minutes: number, t: ReturnType<typeof useTranslation<"shopFloor">>["t"]): string {
  if (minutes < 2 * HOUR) return t("minutes", { count: minutes });
  if (minutes < 2 * DAY) return t("hours", { count: Math.floor(minutes / HOUR) });
  return t("days", { count: Math.floor(minutes / DAY) });
}
