/** The board's lanes; events move its cards, so it is loaded once and then follows. */
import useSWR from "swr";
import type { ShopFloor } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { keys } from "@/shared/keys";

export function useShopFloor() {
  return useSWR<ShopFloor, ApiError>(keys.shopFloor(), () => call(api.GET("/api/shop-floor")));
}
