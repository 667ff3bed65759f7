/**
 * Small drawings of the trade for empty places. They have the colour of the text, with a spark of
 * copper.
 */
import type { ReactNode } from "react";

export type DrawingName = "anvil" | "crucible" | "gone" | "loupe" | "ring" | "scale" | "sheet";

/** A four-pointed spark around a point, as in the product's mark. */
const spark = (x: number, y: number) => (
  <path
    className="ob-drawing__spark"
    d={`m${x} ${y - 4} 1.2 2.8 2.8 1.2-2.8 1.2L${x} ${y + 4}l-1.2-2.8-2.8-1.2 2.8-1.2z`}
  />
);

const BENCH = <path d="M8 31.5h32" />;

const DRAWINGS: Record<DrawingName, ReactNode> = {
  anvil: (
    <>
      <path d="M11.5 16h25v3.4c-4.3.2-7.3 1.7-8 4.3l3.5 2.8v5H18v-5l3.3-2.8c-.5-2.4-4-4.5-9.8-5.1z" />
      {BENCH}
      {spark(26, 8)}
    </>
  ),
  crucible: (
    <>
      <path d="M11 12h22l6-2.5M13 12l1.5 12.5a5 5 0 0 0 5 4.5h5a5 5 0 0 0 5-4.5L31 12M14 18h16" />
      {BENCH}
      {spark(40, 18)}
    </>
  ),
  gone: (
    <>
      <path d="M28.5 9.5a10 10 0 1 1-9 0M27 12.5a6.5 6.5 0 1 1-6 0" />
      {BENCH}
      {spark(39, 25)}
    </>
  ),
  loupe: (
    <>
      <circle cx={21} cy={15} r={10} />
      <path d="m28.5 22.5 8 8M17 12.5h8l2 2.5-6 5.5-6-5.5zM15 15h12" />
      {spark(38, 9)}
    </>
  ),
  ring: (
    <>
      <circle cx={24} cy={22.5} r={9} />
      <circle cx={24} cy={22.5} r={6.5} />
      <path className="ob-drawing__filled" d="M20.5 4.5h7l3 3.5-6.5 6-6.5-6z" />
      <path d="M17.5 8h13" />
      {spark(37, 10)}
    </>
  ),
  scale: (
    <>
      <path d="M24 5v24M18 29.5h12M13 9h22M13 9l-5 10h10zM35 9l-5 10h10zM8 19a5 4 0 0 0 10 0M30 19a5 4 0 0 0 10 0" />
      {spark(35, 14.5)}
    </>
  ),
  sheet: (
    <>
      <path d="M14 4.5h14l6 6v21H14zM28 4.5v6h6M18 15.5h12M18 19.5h9M18 23.5h6" />
      {spark(30, 25.5)}
    </>
  ),
};

export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg className="ob-drawing" viewBox="0 0 48 36" width={96} height={72} aria-hidden>
      {DRAWINGS[name]}
    </svg>
  );
}
