import { expect, it } from "vitest";
import type { LineStatus } from "@/contract";
import cases from "../../../tests/contract/figures.json";
import { figuresOf } from "./derived";

it.each(cases)("an order's figures as the server counts them: $name", ({ lines, figures }) => {
  const counted = lines.map((line) => ({ ...line, status: line.status as LineStatus }));
  expect(figuresOf(counted)).toEqual(figures);
});
