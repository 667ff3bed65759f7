/** Which processes a screen shows, kept in the address: `?process=3,5`; nothing there means all. */
import type { ShopFloorLane } from "@/contract";
import { useAddress } from "@/shared/hooks/useAddress";

const NAME = "process";

export function useLaneFilter(lanes: readonly ShopFloorLane[]) {
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
