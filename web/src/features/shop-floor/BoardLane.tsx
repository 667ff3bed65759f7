/**
 * The lane of one process: what is inside now, late cards first and then the oldest; what waits;
 * what left today.
 */
import InboxOutlined from "@ant-design/icons/es/icons/InboxOutlined";
import LoginOutlined from "@ant-design/icons/es/icons/LoginOutlined";
import LogoutOutlined from "@ant-design/icons/es/icons/LogoutOutlined";
import { memo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { BoardCard } from "./BoardCard";
import { turnOf, type Card, type Lane } from "./boardView";
import { lettersInTwo } from "./cardLook";
import "./BoardLane.css";

interface Props {
  lane: Lane;
  cards: readonly Card[];
  pieces: number;
  /** Pieces that wait; null if unknown. */
  waitingPieces: number | null;
  waitingLines: number;
  now: number;
  /** Increases when the board shows other cards. */
  turn: number;
  opens: boolean;
  /**
   * The number of card columns and rows. If absent, all cards are shown. With 0 columns, the lane
   * is empty and shown as a strip.
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
  const mayWork = useMay("Station");
  const room = columns === undefined || rows === undefined ? cards.length : columns * rows;
  const [skipped, setSkipped] = useState(0);
  const { shown, turns } = turnOf(cards, Math.max(1, room), turn + skipped);
  const hidden = cards.length - shown.length;
  const number = (value: number) => formatNumber(value, language);
  const name = lane.productionProcessName;
  const kind = cards.length === 0 ? "strip" : columns === 1 ? "narrow" : "wide";
  return (
    <section className={`ob-lane ob-lane--${kind}`} aria-label={name}>
      <header className="ob-lane__head">
        <h2
          title={name}
          style={{ "--letters": kind === "strip" ? lettersInTwo(name) : name.length }}
        >
          <span>
            {opens && mayWork ? (
              <Link
                className="ob-lane__station"
                to={`/shop-floor/station/${lane.productionProcessId}`}
                title={t("lane.station", { process: name })}
              >
                {name}
              </Link>
            ) : (
              name
            )}
          </span>
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
          <button className="ob-lane__more" type="button" onClick={() => setSkipped(skipped + 1)}>
            +{number(hidden)}
            <span className="ob-visually-hidden">
              {` ${t("hidden")} · ${t("page", { page: ((turn + skipped) % turns) + 1, count: turns })}`}
            </span>
          </button>
        )}
      </header>
      {cards.length > 0 && (
        <ul
          className="ob-lane__cards"
          aria-label={t("cards")}
          style={{ "--columns": columns, "--rows": rows }}
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
