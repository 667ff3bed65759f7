/**
 * Bar chart with axes, names and values, drawn by recharts, which only the dashboard loads. A table
 * beside it has the figures.
 */
import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatNumber } from "@/shared/format/numbers";
import { useMedia } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { SIZES } from "@/shared/theme/palette";

export interface BarRow {
  key: string;
  name: string;
  value: number;
  /** A color of the theme. The primary one is the default. */
  color?: string;
}

export interface BarsProps {
  rows: readonly BarRow[];
  /** The unit of the values, shown on hover. */
  unit: string;
  /** `up`: names below the bars. `right`: names beside the bars, for many or long names. */
  direction: "up" | "right";
  height: number;
  onPick?: (key: string) => void;
}

const TEXT = { fill: "var(--ob-muted)", fontSize: SIZES.small };
const LINE = { stroke: "var(--ob-border)" };
const AXIS_HEIGHT = 40;

export default function BarsChart({ rows, unit, direction, height, onPick }: BarsProps) {
  const language = useLanguage();
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const up = direction === "up";
  const number = (value: unknown) => formatNumber(Number(value), language);
  const values = {
    type: "number",
    allowDecimals: false,
    // Without values, the axis still goes from 0 to 1.
    domain: [0, (most: number) => Math.max(1, most)],
    tick: TEXT,
    tickFormatter: number,
    axisLine: LINE,
    tickLine: LINE,
  } as const;
  const names = {
    type: "category",
    dataKey: "name",
    interval: 0,
    axisLine: LINE,
    tickLine: false,
  } as const;
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        accessibilityLayer={false}
        data={[...rows]}
        layout={up ? "horizontal" : "vertical"}
        margin={{ top: 8, right: 16, bottom: 0, left: 0 }}
      >
        <CartesianGrid stroke="var(--ob-border)" horizontal={up} vertical={!up} />
        {up ? (
          <>
            <XAxis {...names} height={AXIS_HEIGHT} tick={{ ...TEXT, width: 84 }} />
            <YAxis {...values} width={44} />
          </>
        ) : (
          <>
            <XAxis {...values} height={AXIS_HEIGHT - 12} />
            <YAxis {...names} width={128} tick={{ ...TEXT, width: 120 }} />
          </>
        )}
        <Tooltip
          cursor={{ fill: "var(--ob-neutral-soft)" }}
          isAnimationActive={false}
          contentStyle={{
            border: "1px solid var(--ob-border)",
            borderRadius: 8,
            background: "var(--ob-surface)",
            color: "var(--ob-text)",
          }}
          itemStyle={{ color: "var(--ob-text)" }}
          formatter={(value) => [number(value), unit]}
        />
        <Bar
          dataKey="value"
          maxBarSize={44}
          radius={up ? [4, 4, 0, 0] : [0, 4, 4, 0]}
          isAnimationActive={!still}
          onClick={(_, index) => {
            const row = rows[index];
            if (row !== undefined && row.value > 0) onPick?.(row.key);
          }}
        >
          {rows.map(({ key, color = "var(--ob-primary)" }) => (
            <Cell key={key} fill={color} cursor={onPick ? "pointer" : "default"} />
          ))}
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}
