/** One process: what is inside now, the late ones first, then the longest there. */
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ShopFloorCard, ShopFloorLane } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { BoardCard } from "./BoardCard";
import { useFitting } from "./useFitting";

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
