/** Forecasts of lines for tests. */
import type { Line } from "@/contract";

/** A forecast: done by 12 March with a chance of 50 %, by 19 March with 80 %. */
export function aForecast(
  forecast: Partial<NonNullable<Line["forecast"]>> = {},
): NonNullable<Line["forecast"]> {
  return {
    p10: "2026-03-08",
    p50: "2026-03-12",
    p80: "2026-03-19",
    p90: "2026-03-24",
    onTime: null,
    risk: null,
    basis: 24,
    at: "2026-03-02T18:00:00.000Z",
    ...forecast,
  };
}
