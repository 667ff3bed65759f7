/** Puts a line the server has just answered wherever it is on screen. */
import { useCallback } from "react";
import { useSWRConfig } from "swr";
import type { Line, SalesOrder } from "@/contract";
import { useLiveStatus } from "@/live/LiveProvider";
import { keys } from "@/shared/keys";
import { newest } from "@/shared/newest";

export function useCacheLine(): (line: Line) => Promise<void> {
  const { mutate } = useSWRConfig();
  const live = useLiveStatus().state === "live";
  return useCallback(
    async (line) => {
      const { salesOrderId, position } = line;
      const newer = newest(line);
      await mutate(keys.line(salesOrderId, position), newer, { revalidate: false });
      await mutate(
        keys.order(salesOrderId),
        (order: SalesOrder | undefined) =>
          order && {
            ...order,
            status: line.orderStatus,
            items: order.items.map((old) => (old.position === position ? newer(old) : old)),
          },
        { revalidate: false },
      );
      // The change's own event refreshes the rest; without the live connection nobody else would.
      if (!live) await mutate((key) => Array.isArray(key) && key[0] === "sales-order");
    },
    [mutate, live],
  );
}
