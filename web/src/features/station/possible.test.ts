import { beforeEach, describe, expect, it } from "vitest";
import type { StationScan } from "@/contract";
import { forgetDocuments, put } from "@/shared/http/store";
import { aLine } from "@/testing/lines";
import { workOfScan } from "./possible";

const aScan = (version: number): StationScan =>
  ({ line: aLine({ version }), direction: "in", maxIn: 6, maxOut: 0, why: null }) as StationScan;

beforeEach(() => forgetDocuments());

describe("a scanned line that the station's lists lack", () => {
  it("moves what the server said, however long the queue is", () => {
    expect(workOfScan(aScan(7), null)).toMatchObject({ maxIn: 6, maxOut: 0, waits: false });
  });

  it("moves nothing once others have changed it", () => {
    const scan = aScan(8);
    put([aLine({ version: 9 })]);
    expect(workOfScan(scan, null)).toMatchObject({ maxIn: 0, maxOut: 0 });
  });
});
