/** The days that the workshop offers for the new lines of an order, by product. See infra/docs/rules.md#forecast. */
import { useMemo } from "react";
import { useAnswer } from "@/shared/http/data";
import { OFFERED } from "@/shared/http/keys";
import type { GridLine } from "./lines";

/** The most products that are asked for at a time. */
const MOST = 200;

/**
 * Product → the day by which a line of it is done with a chance of 80 %. Null: too few lines are
 * finished for a forecast.
 */
export type OfferedDates = ReadonlyMap<number, string | null>;

/**
 * Load the offered day of each product. A product is missing in the map until its day is loaded.
 */
export function useOfferedDays(lines: readonly GridLine[]): OfferedDates {
  const ids = productsOf(lines).slice(0, MOST);
  const { data } = useAnswer(OFFERED, ids.length === 0 ? null : { query: { ids } }, {
    quiet: true,
    keepPreviousData: true,
    revalidateOnFocus: false,
  });
  return useMemo(() => new Map(data?.map(({ itemId, p80 }) => [itemId, p80] as const)), [data]);
}

/**
 * Return the products of the lines that are not saved yet, sorted, so that the same products make
 * the same request.
 */
function productsOf(lines: readonly GridLine[]): number[] {
  const ids = lines.flatMap(({ position, item }) =>
    position === undefined && item !== null ? item.id : [],
  );
  return [...new Set(ids)].toSorted((one, other) => one - other);
}
