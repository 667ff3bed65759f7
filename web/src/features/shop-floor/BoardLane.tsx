/**
 * One process: what is inside now, with late cards first and then the oldest; what waits for it;
 * what left today.
 */
import InboxOutlined from "@ant-design/icons/es/icons/InboxOutlined";
import LoginOutlined from "@ant-design/icons/es/icons/LoginOutlined";
import LogoutOutlined from "@ant-design/icons/es/icons/LogoutOutlined";
import { memo, useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { BoardCard } from "./BoardCard";
import { lettersInTwo, type Card, type Lane } from "./boardView";
import "./BoardLane.css";

interface Props {
  lane: Lane;
  cards: readonly Card[];
  pieces: number;
  /** Pieces that wait; null if unknown. */
  waitingPieces: number | null;
  waitingLines: number;
  now: number;
  /** Increases when the board turns its pages. */
  turn: number;
  opens: boolean;
  /**
   * The room for cards. If absent, all cards are shown. 0 columns: the lane is empty and shown as a
   * strip.
   */
  columns?: number | undefined;
  rows?: number | undefined;
}

export const BoardLane = memo(function BoardLane({
  lane,
  cards,
  pieces,
  waitingPieces,
  waitingLines,
  now,
  turn,
  opens,
  columns,
  rows,
}: Props) {
  const { t } = useTranslation("shopFloor");
  const language = useLanguage();
  const room = columns === undefined || rows === undefined ? cards.length : columns * rows;
  const { page, pages, next } = usePages(cards, room, turn);
  const shown = cards.slice(page * room, (page + 1) * room);
  const hidden = cards.length - shown.length;
  const number = (value: number) => formatNumber(value, language);
  const name = lane.productionProcessName;
  const kind = cards.length === 0 ? "strip" : columns === 1 ? "narrow" : "wide";
  return (
    <section className={`ob-lane ob-lane--${kind}`} aria-label={name}>
      <header className="ob-lane__head">
        <h2
          title={name}
          style={{ ["--letters" as string]: kind === "strip" ? lettersInTwo(name) : name.length }}
        >
          <span>{name}</span>
        </h2>
        {cards.length > 0 && (
          <Figure icon={<InboxOutlined aria-hidden />} name={t("lane.inside")} kind="inside">
            {number(pieces)}
          </Figure>
        )}
        {waitingPieces !== null && waitingPieces > 0 && (
          <Figure
            icon={<LoginOutlined aria-hidden />}
            name={t("lane.waiting")}
            more={t("lane.lines", { count: waitingLines })}
            kind="waiting"
          >
            {number(waitingPieces)}
          </Figure>
        )}
        {lane.leftToday > 0 && (
          <Figure icon={<LogoutOutlined aria-hidden />} name={t("lane.left")} kind="left">
            {number(lane.leftToday)}
          </Figure>
        )}
        {hidden > 0 && (
          <button className="ob-lane__more" type="button" onClick={next}>
            +{number(hidden)}
            <span className="ob-visually-hidden">
              {` ${t("hidden")} · ${t("page", { page: page + 1, count: pages })}`}
            </span>
          </button>
        )}
      </header>
      {cards.length > 0 && (
        <ul
          className="ob-lane__cards"
          aria-label={t("cards")}
          style={{ ["--columns" as string]: columns, ["--rows" as string]: rows }}
        >
          {shown.map((card) => (
            <BoardCard
              key={card.recordId}
              card={card}
              now={now}
              usualSeconds={lane.usualSeconds}
              opens={opens}
            />
          ))}
        </ul>
      )}
    </section>
  );
});

interface FigureProps {
  icon: ReactNode;
  name: string;
  more?: string;
  kind: "inside" | "waiting" | "left";
  children: string;
}

function Figure({ icon, name, more, kind, children }: FigureProps) {
  return (
    <span
      className={`ob-lane__figure ob-lane__figure--${kind}`}
      title={`${name}: ${children}${more === undefined ? "" : ` · ${more}`}`}
    >
      {icon}
      <span className="ob-lane__word">{name} </span>
      {children}
    </span>
  );
}

/** Least time between two jumps to a new card, in ms, so that other cards are seen too. */
const LEAST_BETWEEN_NEW = 4_000;

/**
 * Choose the page of cards that is shown. It follows the board's turns, the button, and a card that
 * has just come.
 */
function usePages(cards: readonly Card[], room: number, turn: number) {
  const pages = Math.max(1, Math.ceil(cards.length / Math.max(1, room)));
  const [skipped, setSkipped] = useState(0);
  const page = (turn + skipped) % pages;
  const known = useRef<ReadonlySet<number> | null>(null);
  const lastNew = useRef(0);

  useEffect(() => {
    const before = known.current;
    known.current = new Set(cards.map(({ recordId }) => recordId));
    if (before === null || Date.now() - lastNew.current < LEAST_BETWEEN_NEW) return;
    const index = cards.findLastIndex(({ recordId }) => !before.has(recordId));
    if (index < 0) return;
    lastNew.current = Date.now();
    const wanted = Math.floor(index / Math.max(1, room));
    setSkipped((so) => so + ((wanted - ((turn + so) % pages) + pages) % pages));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- turning the pages adds no card
  }, [cards]);

  return { page, pages, next: () => setSkipped((so) => so + 1) };
}
