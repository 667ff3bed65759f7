import { act, renderHook } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as feedback from "@/entities/scanning/feedback";
import { startI18n } from "@/shared/i18n";
import { toast } from "@/shared/ui/toast";
import { aStation } from "@/testing/floor";
import { aLine } from "@/testing/lines";
import { Refused, serve, type Asked } from "@/testing/pages";
import { useOpened } from "./useOpened";

beforeAll(() => startI18n());

const WORKER = { id: 7, fullName: "Ana Ruiz", operatorToken: null };
const sounds: string[] = [];
let answers: Map<string, () => void>;

beforeEach(() => {
  sounds.length = 0;
  answers = new Map();
  vi.spyOn(feedback, "answer").mockImplementation((kind) => void sounds.push(kind));
  serve({
    "GET /api/metal/trays": [],
    "POST /api/station/2/scan": async ({ body }: Asked) => {
      const { code } = body as { code: string };
      await new Promise<void>((resolve) => answers.set(code, resolve));
      if (code.startsWith("9")) {
        return new Refused(422, { code: "unknown_code", message: "No existe" });
      }
      const line = aLine({ salesOrderId: Number(code.split("-")[0]), position: 1 });
      return { line, direction: "in", maxIn: 6, maxOut: 0, handOver: [], why: null };
    },
  });
});

function open() {
  const show = (kind: "yes" | "no") => void sounds.push(kind);
  const work = new Map();
  return renderHook(() => useOpened(aStation(), work, WORKER, show, true)).result;
}

async function answered(code: string, scanned: Promise<boolean>): Promise<boolean> {
  await vi.waitFor(() => expect(answers.has(code)).toBe(true));
  answers.get(code)!();
  return scanned;
}

it("answers a scan that a quicker one overtook, and keeps the later line open", async () => {
  const dismissed = vi.fn<() => void>();
  const stays = vi.spyOn(toast, "stays").mockReturnValue(dismissed);
  const opened = open();
  await act(async () => {
    const [refused, first, last] = ["9-1", "3-1", "4-1"].map((code) => opened.current.scan(code));
    expect(await answered("4-1", last!)).toBe(true);
    expect(await answered("9-1", refused!)).toBe(false);
    expect(await answered("3-1", first!)).toBe(false);
  });
  expect(sounds).toEqual(["yes", "no", "yes"]);
  expect(stays).toHaveBeenCalledExactlyOnceWith("Se leyó «9-1». No existe");
  expect(dismissed).toHaveBeenCalledOnce();
  expect(opened.current.line?.work.salesOrderId).toBe(4);
  expect(opened.current.problem).toBeNull();
});

it("says why the last scan was refused until a later one opens its line", async () => {
  const opened = open();
  await act(async () => expect(await answered("9-2", opened.current.scan("9-2"))).toBe(false));
  expect(opened.current.problem).toBe("Se leyó «9-2». No existe");
  await act(async () => expect(await answered("3-1", opened.current.scan("3-1"))).toBe(true));
  expect(opened.current.problem).toBeNull();
  expect(sounds).toEqual(["no", "yes"]);
});
