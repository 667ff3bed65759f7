/** The shop-floor board: a lane for each active process, live, for the wall and for the hand. */
import FullscreenExitOutlined from "@ant-design/icons/es/icons/FullscreenExitOutlined";
import FullscreenOutlined from "@ant-design/icons/es/icons/FullscreenOutlined";
import Button from "antd/es/button";
import Select from "antd/es/select";
import Skeleton from "antd/es/skeleton";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ShopFloor, ShopFloorCard } from "@/contract";
import { LiveIndicator } from "@/live/LiveIndicator";
import { formatTime } from "@/shared/format/plantClock";
import { useNow } from "@/shared/hooks/useNow";
import { EmptyState } from "@/shared/ui/EmptyState";
import { LoadFailed } from "@/shared/ui/LoadFailed";
import { BoardLane } from "./BoardLane";
import { useShopFloor } from "./shopFloor.api";
import "./ShopFloorPage.css";
import { useFullscreen } from "./useFullscreen";
import { useGlide } from "./useGlide";
import { useLaneFilter } from "./useLaneFilter";
import { useClear } from "@/shared/ui/useClear";

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
