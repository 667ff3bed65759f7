/** The board itself, of now or of a moment of a day again: head, lanes, and a band across it where it is out of date. */
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
  /** The state of live events; null for a day that is played again, which does not change. */
  live: LiveStatus | null;
  /** The instant that is shown, for a day again. */
  at?: number;
  /** The processes to show; none means all. */
  only?: readonly number[];
  /** A screen on the wall, whatever its size: nobody scrolls it or touches it. */
  wall?: boolean;
  /** Whether a card leads to its line. */
  opens?: boolean;
  /** What the page adds to the head. */
  controls?: ReactNode;
}

const MINUTE = 60_000;

export function Board({
  floor,
  live,
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
      <Head view={view} live={live} now={at ?? ticking} stale={stale} controls={controls} />
      {stale !== null && (
        <p className="ob-board__stale" role="alert">
          {t("stale", { time: formatTime(new Date(stale)) })}
        </p>
      )}
      {lanes.length === 0 && <EmptyState title={t("noLanes")} hint={t("noLanesHint")} />}
      <div
        className="ob-board__lanes"
        ref={stage}
        onPointerMove={hold}
        onFocus={hold}
        style={{ ["--scale" as string]: arrangement?.scale ?? 1 }}
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
    </div>
  );
}

const keyOf = ({ lane }: BoardView["lanes"][number]) => lane.productionProcessId;

/** 0.4, 2.3, 16: what is said of days that are guessed. */
const roughly = (days: number) => (days < 10 ? Math.round(days * 10) / 10 : Math.round(days));

interface HeadProps {
  view: BoardView;
  live: LiveStatus | null;
  now: number;
  stale: number | null;
  controls: ReactNode;
}

function Head({ view, live, now, stale, controls }: HeadProps) {
  const { t } = useTranslation("shopFloor");
  const language = useLanguage();
  const { bottleneck } = view;
  return (
    <header className="ob-board__head">
      <h1>{t("title")}</h1>
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
        {live !== null && (
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

/** A change is drawn at once; where many come, what they come to is drawn so often. */
const DRAWN_EVERY = 250;

function useCalm(floor: Floor): { calm: Floor; busy: boolean } {
  const [shown, setShown] = useState({ calm: floor, busy: false });
  const last = useRef(0);
  // Before it is painted: a first change waits for no timer and no second frame.
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

/** A connection that is lost for less than this time puts no warning on the board. */
const GRACE = 2_000;

/** When the board was surely up to date last; null while it is. */
function useOutdatedSince(live: LiveStatus | null, floor: Floor): number | null {
  const isLive = live === null || live.state === "live";
  const contact = useRef({ floor, isLive, at: 0 });
  const [since, setSince] = useState<number | null>(null);

  // The board is up to date when it has just been loaded or changed by an event, and when the connection ends.
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

/** A screen that is only looked at; a small one, or one that is touched, is scrolled instead. */
const WALL = "(min-width: 1024px) and (pointer: fine), (min-width: 1024px) and (pointer: none)";

const ROTATES_EVERY = 12_000;
/** Who has just pointed at something reads it; a mouse that lies there for hours does not. */
const HELD_FOR = 20_000;

/** Every so often the lanes turn to their next page. */
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
 * How the lanes share the screen; null where it is scrolled. Loads change with every movement, and lanes that widen and
 * narrow all the time could not be read: they are weighed anew every minute, and where one fills or empties.
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the loads of a while ago do
  }, [isWall, room, filled, minute]);
}
