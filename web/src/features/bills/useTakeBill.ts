/** Puts the bill that a write answered on every screen at once, and has the lists loaded again. */
import { useCallback } from "react";
import type { Delivery } from "@/contract";
import { useAnswers } from "@/shared/http/data";
import { BILL, BILLS, under } from "@/shared/http/keys";
import { newest } from "@/shared/newest";

export function useTakeBill(): (bill: Delivery) => Promise<void> {
  const { put, reload } = useAnswers();
  return useCallback(
    async (bill) => {
      await put(BILL, { path: { delivery_id: bill.id } }, newest(bill));
      void reload((key) => under(BILLS)(key) && key[0] !== BILL);
    },
    [put, reload],
  );
}
