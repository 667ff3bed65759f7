import { describe, expect, it } from "vitest";
import type { StationScan } from "@/contract";
import { patchStation } from "@/live/station";
import { aLine, aStation } from "@/testing/lines";
import { workOfScan } from "./possible";

const aScan = (version: number): StationScan =>
  ({ line: aLine({ version }), direction: "in", maxIn: 6, maxOut: 0, why: null }) as StationScan;

describe("a scanned line that the station's lists do not hold", () => {
  it("moves as the server said, however long the queue is", () => {
    expect(workOfScan(aScan(7), null)).toMatchObject({ maxIn: 6, maxOut: 0, waits: false });
  });

  it("moves nothing once somebody else has changed it", () => {
    const scan = aScan(8);
    patchStation(aStation(), aLine({ version: 9 }));
    expect(workOfScan(scan, null)).toMatchObject({ maxIn: 0, maxOut: 0 });
  });
});
