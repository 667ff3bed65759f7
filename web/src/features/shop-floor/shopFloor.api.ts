/** The board's lanes; events move its cards, so it is loaded once and then follows. */
import { useAnswer } from "@/shared/http/data";
import { BOARD } from "@/shared/http/keys";

export function useShopFloor() {
  return useAnswer(BOARD);
}
