import { expect, it } from "vitest";
import { newLine } from "../form/lines";
import { picturesOf } from "./linePictures";

const chosen = (name: string) => ({
  file: new File([""], name, { type: "image/png" }),
  preview: "blob:1",
});
const product = (id: number, name: string) => ({
  id,
  name,
  key: `K-${id}`,
  nameEnglish: "",
  thumbnail: null,
});
const lines = [
  newLine({ item: product(1, "Anillo"), picture: chosen("a.png") }),
  newLine({ item: product(2, "Aro") }),
  newLine({ item: product(3, "Dije"), picture: chosen("c.png") }),
];

it("gives each chosen picture the position of its line", () => {
  const named = (first?: number) =>
    picturesOf({ id: 9 }, lines, first).map(({ salesOrderId, position, itemName, file }) => [
      salesOrderId,
      position,
      itemName,
      file.name,
    ]);
  expect(named()).toEqual([
    [9, 1, "Anillo", "a.png"],
    [9, 3, "Dije", "c.png"],
  ]);
  expect(named(5).map(([, position]) => position)).toEqual([5, 7]);
});
