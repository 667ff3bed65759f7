/** The board, live or in a replay: header, lanes, and a warning across it if it is out of date. */
import InboxOutlined from "@ant-design/icons/es/icons/InboxOutlined";
import LoginOutlined from "@ant-design/icons/es/icons/LoginOutlined";
import LogoutOutlined from "@ant-design/icons/es/icons/LogoutOutlined";
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";
import { useTranslation } from "react-i18next";
import { LastEvent } from "@/live/LiveIndicator";
import type { LiveStatus } from "@/live/LiveProvider";
import { formatNumber } from "@/shared/format/numbers";
import { formatTime } from "@/shared/format/plant";
import { useMedia, useNow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { EmptyState } from "@/shared/ui/states";
import { arrange, type Arrangement } from "./arrange";
import { BoardLane } from "./BoardLane";
import { viewOf, type BoardView, type Floor } from "./boardView";
import { useGlide } from "./useGlide";
import "./Board.css";

interface Props {
  floor: Floor;
  /** State of the live events; null in a replay, which does not change. */
  live: LiveStatus | null;
  /** Title to show instead of the board's own. */
  title?: string;
  /** The instant shown by a replay, in ms. */
  at?: number;
  /** The processes to show. Absent or empty: all. */
  only?: readonly number[];
  /** A wall screen of any size, which is neither scrolled nor touched. */
  wall?: boolean;
  /** Cards link to their lines. */
  opens?: boolean;
  /** Controls that the page adds to the header. */
  controls?: ReactNode;
}

const MINUTE = 60_000;

export function Board({
  floor,
  live,
  title,
  at,
  only,
  wall = false,
  opens = false,
  controls = null,
}: Props) {
  const { t } = useTranslation("shopFloor");
  const root = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const ticking = useNow(10_000);
  const stale = useOutdatedSince(live, floor);
  const now = at ?? stale ?? ticking;
  const isWall = useMedia(WALL) || wall;
  const shown = only?.join() ?? "";
  const { calm: drawn, busy } = useCalm(floor);
  const calm = live === null ? floor : drawn;
  const view = useMemo(() => {
    return viewOf(calm, shown === "" ? [] : shown.split(",").map(Number));
  }, [calm, shown]);
  const arrangement = useArrangement(stage, view, isWall);
  const { turn, hold } = useTurns();
  useGlide(root, view.lanes, busy);

  const lanes = view.lanes.map((lane) => ({ ...lane, now, turn, opens }));
  return (
    <div className={`ob-board ob-board--${isWall ? "wall" : "hand"}`} ref={root}>
      <Head
        title={title ?? t("title")}
        view={view}
        live={live}
        now={at ?? ticking}
        stale={stale}
        controls={controls}
      />
      {stale !== null && (
        <p className="ob-board__stale" role="alert">
          {t("stale", { time: formatTime(new Date(stale)) })}
        </p>
      )}
      {lanes.length === 0 && (
        <EmptyState drawing="crucible" title={t("noLanes")} hint={t("noLanesHint")} />
      )}
      {lanes.length > 0 && lanes.every(({ cards }) => cards.length === 0) && (
        <EmptyState drawing="ring" title={t("calm")} hint={t("calmHint")} />
      )}
      <div
        className="ob-board__lanes"
        ref={stage}
        onPointerMove={hold}
        onFocus={hold}
        style={{ "--scale": arrangement?.scale ?? 1 }}
      >
        {arrangement === null
          ? lanes.map((lane) => <BoardLane key={keyOf(lane)} {...lane} />)
          : arrangement.bands.map((places) => (
              <div
                key={places[0]?.lane}
                className="ob-board__band"
                style={{
                  gridTemplateColumns: places
                    .map(({ columns }) => (columns === 0 ? "var(--strip)" : `${columns}fr`))
                    .join(" "),
                }}
              >
                {places.flatMap(({ lane: index, columns }) => {
                  const lane = lanes[index];
                  const room = { columns, rows: arrangement.rows };
                  return lane ? [<BoardLane key={keyOf(lane)} {...lane} {...room} />] : [];
                })}
              </div>
            ))}
      </div>
      <Legend />
    </div>
  );
}

/**
 * Explain the figures, marks and colours, because nobody can point at a wall screen to read a
 * tooltip.
 */
function Legend() {
  const { t } = useTranslation("shopFloor");
  return (
    <footer className="ob-board__legend">
      {FIGURES.map(([name, Icon]) => (
        <span key={name}>
          <Icon aria-hidden /> {t(`legend.${name}`)}
        </span>
      ))}
      <span>
        <strong>{t("times", { count: 2 })}</strong> {t("legend.times")}
      </span>
      <span className="ob-board__legend-moved">{t("legend.moved")}</span>
      <span className="ob-board__legend-slow">{t("legend.slow")}</span>
      <span className="ob-board__legend-likely">{t("legend.likelyLate")}</span>
      <span className="ob-board__legend-late">{t("legend.late")}</span>
    </footer>
  );
}

const FIGURES = [
  ["inside", InboxOutlined],
  ["waiting", LoginOutlined],
  ["left", LogoutOutlined],
] as const;

const keyOf = ({ lane }: BoardView["lanes"][number]) => lane.productionProcessId;

/** Round estimated days: 0.4, 2.3, 16. */
const roughly = (days: number) => (days < 10 ? Math.round(days * 10) / 10 : Math.round(days));

interface HeadProps {
  title: string;
  view: BoardView;
  live: LiveStatus | null;
  now: number;
  stale: number | null;
  controls: ReactNode;
}

function Head({ title, view, live, now, stale, controls }: HeadProps) {
  const { t } = useTranslation("shopFloor");
  const language = useLanguage();
  const { bottleneck } = view;
  return (
    <header className="ob-board__head">
      <h1>{title}</h1>
      <dl className="ob-board__figures">
        <div>
          <dt>{t("figures.inside")}</dt>
          <dd>{formatNumber(view.pieces, language)}</dd>
        </div>
        <div className={view.lateLines > 0 ? "ob-board__late" : ""}>
          <dt>{t("figures.late")}</dt>
          <dd>{formatNumber(view.lateLines, language)}</dd>
        </div>
        {bottleneck !== null && (
          <div className="ob-board__bottleneck">
            <dt>{t("figures.bottleneck")}</dt>
            <dd>
              <span title={bottleneck.name}>{bottleneck.name}</span>
              <small>
                {t("figures.days", {
                  count: bottleneck.days,
                  days: formatNumber(roughly(bottleneck.days), language),
                })}
              </small>
            </dd>
          </div>
        )}
        {live !== null && live.lastEventAt !== null && (
          <div>
            <dt>{t("figures.last")}</dt>
            <dd>
              <LastEvent live={live} until={stale} />
            </dd>
          </div>
        )}
      </dl>
      <time className="ob-board__clock">{formatTime(new Date(now))}</time>
      <div className="ob-board__controls">{controls}</div>
    </header>
  );
}

/**
 * Least time between two renders, in ms. A single change is rendered at once; many are combined.
 */
const DRAWN_EVERY = 250;

function useCalm(floor: Floor): { calm: Floor; busy: boolean } {
  const [shown, setShown] = useState({ calm: floor, busy: false });
  const last = useRef(0);
  // In a layout effect, so that a first change is rendered before the next paint.
  useLayoutEffect(() => {
    const wait = last.current + DRAWN_EVERY - Date.now();
    const draw = () => {
      last.current = Date.now();
      setShown({ calm: floor, busy: wait > 0 });
    };
    if (wait <= 0) {
      draw();
      return undefined;
    }
    const timer = setTimeout(draw, wait);
    return () => clearTimeout(timer);
  }, [floor]);
  return shown;
}

/** A connection lost for less than this time shows no warning, in ms. */
const GRACE = 2_000;

/** Return the last time when the board was surely up to date, in ms; null while it is. */
function useOutdatedSince(live: LiveStatus | null, floor: Floor): number | null {
  const isLive = live === null || live.state === "live";
  const contact = useRef({ floor, isLive, at: 0 });
  const [since, setSince] = useState<number | null>(null);

  // The board is up to date when it was just loaded or changed by an event, and when the connection
  // ends.
  useEffect(() => {
    contact.current = { floor, isLive, at: Date.now() };
    setSince((shown) => (shown === null ? null : contact.current.at));
  }, [floor, isLive]);

  useEffect(() => {
    if (isLive) return undefined;
    const timer = setTimeout(() => setSince(contact.current.at), GRACE);
    return () => {
      clearTimeout(timer);
      setSince(null);
    };
  }, [isLive]);

  return isLive ? null : since;
}

/** Wide screens without touch use the wall layout. Other screens scroll. */
const WALL = "(min-width: 1024px) and (pointer: fine), (min-width: 1024px) and (pointer: none)";

const ROTATES_EVERY = 12_000;
/**
 * Time that a pointer movement or a focus stops the rotation, in ms. A mouse that lies still does
 * not stop it.
 */
const HELD_FOR = 20_000;

/** Turn the lanes to their next page at an interval. */
function useTurns() {
  const [turn, setTurn] = useState(0);
  const heldUntil = useRef(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (Date.now() > heldUntil.current) setTurn((before) => before + 1);
    }, ROTATES_EVERY);
    return () => clearInterval(timer);
  }, []);
  const hold = () => {
    heldUntil.current = Date.now() + HELD_FOR;
  };
  return { turn, hold };
}

/**
 * Arrange the lanes on the screen; null if the page scrolls. The number of cards changes with every
 * movement, and nobody could read lanes that always change their width. So arrange them only once a
 * minute, and when a lane fills or empties.
 */
function useArrangement(
  stage: RefObject<HTMLElement | null>,
  view: BoardView,
  isWall: boolean,
): Arrangement | null {
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null);
  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const unit = Math.min(window.innerWidth, window.innerHeight) / 100;
      setRoom({ width: element.clientWidth / unit, height: element.clientHeight / unit });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [stage]);
  const minute = Math.floor(useNow(MINUTE) / MINUTE);
  const filled = view.lanes
    .map(({ lane, cards }) => (cards.length > 0 ? "+" : "-") + lane.productionProcessId)
    .join();
  return useMemo(() => {
    if (!isWall || room === null) return null;
    return arrange(
      view.lanes.map(({ cards }) => cards.length),
      room,
    );
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- arranged again once a minute, not for each load
  }, [isWall, room, filled, minute]);
}
