/** Puts a line the server has just answered wherever it is on screen. */
import { useCallback } from "react";
import type { Line } from "@/contract";
import { useLiveStatus } from "@/live/LiveProvider";
import { useAnswers } from "@/shared/http/data";
import { LINE, ORDER, ORDERS_AND_LINES } from "@/shared/http/keys";
import { newest } from "@/shared/newest";
import { lineAt, orderAt } from "./orders.api";

export function useCacheLine(): (line: Line) => Promise<void> {
  const { put, reload } = useAnswers();
  const live = useLiveStatus().state === "live";
  return useCallback(
    async (line) => {
      const { salesOrderId, position } = line;
      const newer = newest(line);
      await put(LINE, lineAt(salesOrderId, position), newer);
      await put(
        ORDER,
        orderAt(salesOrderId),
        (order) =>
          order && {
            ...order,
            status: line.orderStatus,
            items: order.items.map((old) => (old.position === position ? newer(old) : old)),
          },
      );
      // The change's own event refreshes the rest; without the live connection nobody else would.
      if (!live) await reload(ORDERS_AND_LINES);
    },
    [put, reload, live],
  );
}
