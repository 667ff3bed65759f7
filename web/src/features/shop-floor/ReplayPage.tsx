/**
 * Replay a day of the shop floor: the board at any minute, moved and played. Links can name a
 * minute.
 */
import CaretRightOutlined from "@ant-design/icons/es/icons/CaretRightOutlined";
import LeftOutlined from "@ant-design/icons/es/icons/LeftOutlined";
import PauseOutlined from "@ant-design/icons/es/icons/PauseOutlined";
import RightOutlined from "@ant-design/icons/es/icons/RightOutlined";
import Button from "antd/es/button";
import Segmented from "antd/es/segmented";
import Slider from "antd/es/slider";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ShopDay } from "@/contract";
import { formatTime, today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { useAnswer } from "@/shared/http/data";
import { BOARD_DAY } from "@/shared/http/keys";
import { DayField } from "@/shared/form/DayField";
import { PageState } from "@/shared/ui/states";
import { Board } from "./Board";
import { stateOf } from "./boardView";
import "./ReplayPage.css";

const MINUTE = 60_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** Speeds, as multiples of real time. An hour of the day takes a minute, or 12, 4 or 1 seconds. */
const SPEEDS = [60, 300, 900, 3_600] as const;
/** Time between two frames, in ms. */
const FRAME = 100;

export default function ReplayPage() {
  const [params, change] = useAddress();
  const asked = params.get("date") ?? "";
  // A future day cannot be played.
  const date = DAY.test(asked) && asked <= today() ? asked : today();
  const { data, error, mutate } = useAnswer(BOARD_DAY, { query: { date } });
  const goTo = (day: string) =>
    change((next) => {
      next.set("date", day);
      next.delete("at");
    });
  if (data === undefined) return <PageState error={error} onRetry={() => void mutate()} />;
  return <Played key={data.date} day={data} onDay={goTo} />;
}

interface Props {
  day: ShopDay;
  onDay: (day: string) => void;
}

function Played({ day, onDay }: Props) {
  const { t } = useTranslation("shopFloor");
  const { instant, begins, ends, playing, speed, ...player } = usePlayer(day);
  const floor = useMemo(() => stateOf(day, instant), [day, instant]);
  const minutes = Math.round((ends - begins) / MINUTE);
  const nextDay = nextTo(day.date, 1);
  useKeys({
    " ": player.toggle,
    ArrowLeft: (shift) => player.move(instant - (shift ? 15 : 1) * MINUTE),
    ArrowRight: (shift) => player.move(instant + (shift ? 15 : 1) * MINUTE),
    Home: () => player.move(begins),
    End: () => player.move(ends),
    PageUp: () => onDay(nextTo(day.date, -1)),
    PageDown: () => nextDay <= today() && onDay(nextDay),
  });
  return (
    <div className="ob-floor ob-replay">
      <div className="ob-replay__bar" title={t("replay.keys")}>
        <Button
          type="primary"
          icon={playing ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={playing ? t("replay.pause") : t("replay.play")}
          onClick={player.toggle}
        />
        <Segmented
          aria-label={t("replay.speed")}
          value={speed}
          onChange={player.setSpeed}
          options={SPEEDS.map((value) => ({
            value,
            label: t("replay.hourIn", { seconds: 3_600 / value }),
          }))}
        />
        <Slider
          className="ob-replay__slider"
          min={0}
          max={minutes}
          value={Math.floor((instant - begins) / MINUTE)}
          onChange={(minute: number) => player.move(begins + minute * MINUTE)}
          tooltip={{ formatter: (minute = 0) => formatTime(new Date(begins + minute * MINUTE)) }}
          ariaLabelForHandle={t("replay.minute")}
        />
        <span className="ob-quiet">
          {day.movements.length === 0
            ? t("replay.none")
            : t("replay.movements", { count: day.movements.length })}
        </span>
      </div>
      <Board
        floor={floor}
        live={null}
        title={t("replay.title", { day: day.date })}
        at={instant}
        controls={
          <>
            <Button
              icon={<LeftOutlined aria-hidden />}
              aria-label={t("replay.before")}
              onClick={() => onDay(nextTo(day.date, -1))}
            />
            <DayField
              allowClear={false}
              aria-label={t("replay.day")}
              value={day.date}
              onChange={(chosen) => chosen !== null && onDay(chosen)}
            />
            <Button
              icon={<RightOutlined aria-hidden />}
              aria-label={t("replay.after")}
              disabled={nextDay > today()}
              onClick={() => onDay(nextDay)}
            />
            <Link to="/shop-floor">{t("replay.now")}</Link>
          </>
        }
      />
    </div>
  );
}

/** Hold the instant that is shown: chosen, played, and kept in the address to the minute. */
function usePlayer(day: ShopDay) {
  const [params, change] = useAddress();
  const begins = Date.parse(day.begins);
  const [ends] = useState(() => Math.min(Date.parse(day.ends) - 1, Date.now()));
  const [instant, setInstant] = useState(() => firstShown(day, params.get("at"), ends));
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(SPEEDS[1]);

  const shown = (at: number) =>
    change((next) => {
      next.set("date", day.date);
      next.set("at", formatTime(new Date(at)));
    });
  const move = (to: number) => {
    const at = Math.min(ends, Math.max(begins, to));
    setInstant(at);
    shown(at);
  };
  const toggle = () => {
    if (!playing && instant >= ends) setInstant(begins);
    if (playing) shown(instant);
    setPlaying(!playing);
  };
  const step = useEffectEvent(() => {
    const to = Math.min(ends, instant + FRAME * speed);
    setInstant(to);
    if (to < ends) return;
    setPlaying(false);
    shown(to);
  });
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => step(), FRAME);
    return () => clearInterval(timer);
  }, [playing]);

  return { instant, begins, ends, playing, speed, setSpeed, move, toggle };
}

/**
 * Return the minute in the address, by the plant's clock; without one, that of the first movement.
 */
function firstShown({ begins, movements }: ShopDay, asked: string | null, ends: number): number {
  const start = Date.parse(begins);
  if (asked !== null) {
    for (let at = start; at <= ends; at += MINUTE)
      if (formatTime(new Date(at)) === asked) return at;
  }
  const first = movements[0];
  if (first === undefined) return ends;
  return start + Math.ceil((Date.parse(first.at) - start) / MINUTE) * MINUTE;
}

/** Return the day that is `days` after another. */
function nextTo(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 24 * 60 * MINUTE).toISOString().slice(0, 10);
}

/**
 * Handle keys on the whole page, except those for a field, a slider, a dialog or a focused button.
 */
function useKeys(keys: Record<string, (shift: boolean) => unknown>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key];
    const target = event.target instanceof Element ? event.target : null;
    const own = target?.closest("input, select, textarea, [role=slider], [role=dialog]");
    const pressed = event.key === " " && target?.closest("button, a");
    if (action === undefined || own || pressed || event.ctrlKey || event.altKey || event.metaKey)
      return;
    event.preventDefault();
    action(event.shiftKey);
  });
  useEffect(() => {
    const each = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", each);
    return () => window.removeEventListener("keydown", each);
  }, []);
}
