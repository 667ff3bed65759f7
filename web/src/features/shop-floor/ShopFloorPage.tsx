/** The shop-floor board: a lane for each active process, live, for the wall and for the hand. */
import FullscreenExitOutlined from "@ant-design/icons/es/icons/FullscreenExitOutlined";
import FullscreenOutlined from "@ant-design/icons/es/icons/FullscreenOutlined";
import Button from "antd/es/button";
import Select from "antd/es/select";
import Skeleton from "antd/es/skeleton";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { ShopFloor, ShopFloorCard, ShopFloorLane } from "@/contract";
import { LiveIndicator } from "@/live/LiveIndicator";
import { formatTime } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { useAddress } from "@/shared/hooks/useAddress";
import { useAnswer } from "@/shared/http/data";
import { BOARD } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { useClear } from "@/shared/ui/useClear";
import { BoardLane } from "./BoardLane";
import "./ShopFloorPage.css";

export default function ShopFloorPage() {
  const { data, error, mutate } = useShopFloor();
  if (data === undefined && error !== undefined) {
    return <LoadFailed error={error} onRetry={() => void mutate()} />;
  }
  if (data === undefined) {
    return (
      <div className="ob-page">
        <Skeleton active paragraph={{ rows: 8 }} />
      </div>
    );
  }
  return <Board board={data} />;
}

function Board({ board }: { board: ShopFloor }) {
  const { t } = useTranslation("shopFloor");
  const clear = useClear();
  const root = useRef<HTMLDivElement>(null);
  const { isFull, toggle } = useFullscreen(root);
  const { chosen, shown, choose } = useLaneFilter(board.lanes);
  const now = useNow(10_000);
  const nameOf = cardNames(board);
  useGlide(root);

  return (
    <div className={isFull ? "ob-board ob-board--full" : "ob-board"} ref={root}>
      <header className="ob-board__head">
        <h1>{t("title")}</h1>
        <Select
          className="ob-board__filter"
          mode="multiple"
          allowClear={clear}
          maxTagCount="responsive"
          placeholder={t("filter")}
          aria-label={t("filter")}
          value={chosen}
          onChange={choose}
          getPopupContainer={() => root.current ?? document.body}
          optionFilterProp="label"
          options={board.lanes.map((lane) => ({
            value: lane.productionProcessId,
            label: lane.productionProcessName,
          }))}
        />
        <span className="ob-board__space" />
        {isFull && <LiveIndicator />}
        <time className="ob-board__clock">{formatTime(new Date(now))}</time>
        <Button
          icon={
            isFull ? <FullscreenExitOutlined aria-hidden /> : <FullscreenOutlined aria-hidden />
          }
          aria-label={isFull ? t("leaveFull") : t("full")}
          onClick={toggle}
        />
      </header>
      {shown.length === 0 ? (
        <EmptyState title={t("noLanes")} hint={t("noLanesHint")} />
      ) : (
        <div className="ob-board__lanes" data-rows={rowsOf(shown.length)}>
          {shown.map((lane) => (
            <BoardLane key={lane.productionProcessId} lane={lane} nameOf={nameOf} now={now} />
          ))}
        </div>
      )}
    </div>
  );
}

/** How a wall screen arranges its lanes: one row, two rows of six, or two rows to scroll through. */
function rowsOf(lanes: number): "one" | "two" | "many" {
  if (lanes <= 6) return "one";
  return lanes <= 12 ? "two" : "many";
}

/** A line's cards are told apart by their turn, so that a card keeps its name from lane to lane. */
function cardNames(board: ShopFloor): (card: ShopFloorCard) => string {
  const turns = new Map<string, number>();
  const names = new Map<ShopFloorCard, string>();
  for (const card of board.lanes.flatMap(({ cards }) => cards)) {
    const line = `${card.salesOrderId}-${card.position}`;
    const turn = turns.get(line) ?? 0;
    turns.set(line, turn + 1);
    names.set(card, `${line}-${turn}`);
  }
  return (card) => names.get(card) ?? String(card.recordId);
}

/** The board's lanes; events move its cards, so it is loaded once and then follows. */
function useShopFloor() {
  return useAnswer(BOARD);
}

/** The whole screen for one part of the page. */
function useFullscreen(part: RefObject<HTMLElement | null>) {
  const [isFull, setIsFull] = useState(false);

  useEffect(() => {
    const follow = () => setIsFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", follow);
    return () => document.removeEventListener("fullscreenchange", follow);
  }, []);

  const toggle = useCallback(() => {
    const change =
      document.fullscreenElement === null
        ? part.current?.requestFullscreen()
        : document.exitFullscreen();
    change?.catch(toastError);
  }, [part]);

  return { isFull, toggle };
}

// Cards glide from where they stood to where they stand now, into another lane too.

const LASTS = 450;

/** Follows every element with `data-glide="<name>"` inside `root`; names must be unique. */
function useGlide(root: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<string, DOMRect>());

  useLayoutEffect(() => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = places.current;
    const now = new Map<string, DOMRect>();
    for (const element of root.current?.querySelectorAll<HTMLElement>("[data-glide]") ?? []) {
      const name = element.dataset["glide"] ?? "";
      const place = element.getBoundingClientRect();
      now.set(name, place);
      const old = before.get(name);
      if (still || old === undefined) continue;
      const [x, y] = [old.left - place.left, old.top - place.top];
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      element.animate(
        [{ transform: `translate(${x}px, ${y}px)`, zIndex: 1 }, { transform: "none" }],
        {
          duration: LASTS,
          easing: "cubic-bezier(0.2, 0.8, 0.2, 1)",
        },
      );
    }
    places.current = now;
  });
}

const NAME = "process";

/** Which processes a screen shows, kept in the address: `?process=3,5`; nothing there means all. */
function useLaneFilter(lanes: readonly ShopFloorLane[]) {
  const [params, change] = useAddress();
  const asked = (params.get(NAME) ?? "").split(",").map(Number).filter(Boolean);
  const chosen = asked.filter((id) => lanes.some((lane) => lane.productionProcessId === id));
  const shown =
    chosen.length === 0 ? lanes : lanes.filter((lane) => chosen.includes(lane.productionProcessId));

  function choose(ids: readonly number[]) {
    change((next) => {
      if (ids.length === 0) next.delete(NAME);
      else next.set(NAME, ids.join(","));
    });
  }
  return { chosen, shown, choose };
}
