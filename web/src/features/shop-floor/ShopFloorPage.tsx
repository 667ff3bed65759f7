/** The live shop-floor board for a signed-in user, on wall screens and hand-held devices. */
import FullscreenExitOutlined from "@ant-design/icons/es/icons/FullscreenExitOutlined";
import FullscreenOutlined from "@ant-design/icons/es/icons/FullscreenOutlined";
import HistoryOutlined from "@ant-design/icons/es/icons/HistoryOutlined";
import Button from "antd/es/button";
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { BatchCard, ShopFloor, ShopFloorLane } from "@/contract";
import { useLiveStatus } from "@/live/LiveProvider";
import { Select } from "@/shared/form/Select";
import { today } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { useAddress } from "@/shared/hooks/useAddress";
import { useAnswer } from "@/shared/http/data";
import { BATCH_CARDS, BOARD } from "@/shared/http/keys";
import { useMay } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { PageState } from "@/shared/ui/states";
import { Board } from "./Board";
import { floorOf } from "./boardView";

export default function ShopFloorPage() {
  const { data, error, mutate } = useAnswer(BOARD);
  const batches = useAnswer(BATCH_CARDS, {}, { quiet: true }).data;
  useToday(data, () => void mutate());
  if (data === undefined) return <PageState error={error} onRetry={() => void mutate()} />;
  return <Now floor={data} batches={batches} />;
}

interface NowProps {
  floor: ShopFloor;
  batches: readonly BatchCard[] | undefined;
}

function Now({ floor, batches }: NowProps) {
  const { t } = useTranslation("shopFloor");
  const root = useRef<HTMLDivElement>(null);
  const { isFull, toggle } = useFullscreen(root);
  const { chosen, choose } = useLaneFilter(floor.lanes);
  const readsOrders = useMay("ListSalesOrders");
  const readsLines = useMay("ListOrders");
  return (
    <div className={isFull ? "ob-floor ob-floor--full" : "ob-floor"} ref={root}>
      <Board
        floor={useMemo(() => floorOf(floor, batches), [floor, batches])}
        live={useLiveStatus()}
        only={chosen}
        opens={readsOrders || readsLines}
        controls={
          <>
            <Select
              className="ob-board__filter"
              mode="multiple"
              allowClear
              maxTagCount="responsive"
              placeholder={t("filter")}
              aria-label={t("filter")}
              value={chosen}
              onChange={choose}
              getPopupContainer={() => root.current ?? document.body}
              options={floor.lanes.map((lane) => ({
                value: lane.productionProcessId,
                label: lane.productionProcessName,
              }))}
            />
            <Link to="/shop-floor/replay" className="ob-board__replay" title={t("replay.open")}>
              <HistoryOutlined aria-hidden />
              <span className="ob-visually-hidden">{t("replay.open")}</span>
            </Link>
            <Button
              icon={
                isFull ? <FullscreenExitOutlined aria-hidden /> : <FullscreenOutlined aria-hidden />
              }
              aria-label={isFull ? t("leaveFull") : t("full")}
              onClick={toggle}
            />
          </>
        }
      />
    </div>
  );
}

/**
 * Load the board again when the plant's day changes, because what left today and what is late
 * depend on it.
 */
function useToday(floor: ShopFloor | undefined, reload: () => void): void {
  const day = today(new Date(useNow(10_000)));
  const asked = useRef(day);
  useEffect(() => {
    if (floor === undefined || floor.today >= day || asked.current === day) return;
    asked.current = day;
    reload();
  });
}

/** Show one part of the page in full screen. */
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

const NAME = "process";

/**
 * Choose the processes to show, kept in the address: `?process=3,5`. Without any, all are shown.
 */
function useLaneFilter(lanes: readonly ShopFloorLane[]) {
  const [params, change] = useAddress();
  const asked = (params.get(NAME) ?? "").split(",").map(Number).filter(Boolean);
  const chosen = asked.filter((id) => lanes.some((lane) => lane.productionProcessId === id));

  function choose(ids: readonly number[]) {
    change((next) => {
      if (ids.length === 0) next.delete(NAME);
      else next.set(NAME, ids.join(","));
    });
  }
  return { chosen, choose };
}
