/** Pieces of a line inside a process: what they are, since when, who brought them in. */
import { useTranslation } from "react-i18next";
import type { ShopFloorCard } from "@/contract";
import { minutesSince } from "@/shared/format/plantClock";

const HOUR = 60;
const DAY = 24 * HOUR;

interface Props {
  card: ShopFloorCard;
  /** Unique on the board, the same in whichever lane the card stands. */
  name: string;
  now: number;
}

export function BoardCard({ card, name, now }: Props) {
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
