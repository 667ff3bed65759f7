/** Load the bar chart, and reserve its height so that nothing below it moves. */
import { lazyPart } from "@/shared/ui/lazyPart";
import type { BarsProps } from "./BarsChart";

const BarsChart = lazyPart(() => import("./BarsChart"));

const UPRIGHT = 260;
const ROW = 32;
const AXIS = 40;

export function Bars(props: Omit<BarsProps, "height">) {
  const height = props.direction === "up" ? UPRIGHT : props.rows.length * ROW + AXIS;
  return (
    <div className="ob-bars" style={{ minHeight: height }} aria-hidden>
      <BarsChart {...props} height={height} />
    </div>
  );
}
