/**
 * Load the processes in order and save a new order, without gaps. Each process with a new order is
 * saved with its version.
 */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProductionProcess, ProductionProcessIn } from "@/contract";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { entryCalls } from "../catalogs.api";

const PATH = RESOURCES["production-processes"];
/** A list without a limit returns all rows. */
const ALL = { query: { ordering: "order" } };
const processes = entryCalls<ProductionProcess, ProductionProcessIn>("production-processes");

interface Ordered {
  id: number;
  order: number;
}

export function moved<T>(rows: readonly T[], from: number, to: number): T[] {
  const next = [...rows];
  const [row] = next.splice(from, 1);
  if (row !== undefined) next.splice(to, 0, row);
  return next;
}

/**
 * Number the rows 1, 2, 3… in their order. Returns id → new number, only for rows with another
 * number now.
 */
export function newOrders(rows: readonly Ordered[]): Map<number, number> {
  const changes = new Map<number, number>();
  rows.forEach(({ id, order }, place) => {
    if (order !== place + 1) changes.set(id, place + 1);
  });
  return changes;
}

export function useProcessOrder() {
  const { t } = useTranslation(["catalogs", "shared"]);
  const { reload } = useAnswers();
  const { data, error } = useAnswer<typeof PATH, ProductionProcess[]>(PATH, ALL);
  const [wanted, setWanted] = useState<ProductionProcess[] | null>(null);

  const { submit, busy } = useSubmit(async (headers, rows: ProductionProcess[]) => {
    const changes = newOrders(rows);
    const saved = [...rows];
    for (const [place, row] of rows.entries()) {
      const order = changes.get(row.id);
      if (order === undefined) continue;
      const matching = {
        // An idempotency key stands for one write, and a move can need several.
        "Idempotency-Key": `${headers["Idempotency-Key"]}/${row.id}`,
        "If-Match": `"${row.version}"`,
      };
      saved[place] = await processes.update(matching, row.id, { order });
    }
    return saved;
  });

  async function move(from: number, to: number) {
    const rows = moved(data ?? [], from, to);
    setWanted(rows);
    try {
      const saved = await submit(rows);
      if (saved === undefined) return;
      toast.saved({ name: t("reorder.title") });
    } catch (reason) {
      // Another user changed one of the processes. The newest order is loaded, and the user can
      // repeat the move.
      if (asApiError(reason).status === 412) toast.error(t("reorder.stale"));
      else toastError(reason);
    }
    await reload(under(PATH));
    setWanted(null);
  }

  return {
    rows: wanted ?? data,
    error: data === undefined ? error : undefined,
    busy: busy || wanted !== null,
    move: (from: number, to: number) => void move(from, to),
  };
}
