/** Puts the bill that a write answered on every screen at once, and has the lists loaded again. */
import { useCallback } from "react";
import { useSWRConfig } from "swr";
import type { Delivery } from "@/contract";
import { keys } from "@/shared/keys";
import { newest } from "@/shared/newest";

export function useTakeBill(): (bill: Delivery) => Promise<void> {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (bill) => {
      await mutate(keys.delivery(bill.id), newest(bill), { revalidate: false });
      void mutate((key) => Array.isArray(key) && key[0] === "deliveries" && key[1] !== "one");
    },
    [mutate],
  );
}
