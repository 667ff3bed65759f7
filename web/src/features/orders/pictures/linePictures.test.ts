import { expect, it } from "vitest";
import { blankOrder, nextLine, withoutPictures } from "../form/values";
import { picturesOf } from "./linePictures";

const chosen = (name: string) => ({
  file: new File([""], name, { type: "image/png" }),
  preview: "blob:1",
});
const values = {
  ...blankOrder("2026-03-02"),
  items: [
    { ...nextLine({ id: 1, name: "Anillo" }), picture: chosen("a.png") },
    nextLine({ id: 2, name: "Aro" }),
    { ...nextLine({ id: 3, name: "Dije" }), picture: chosen("c.png") },
  ],
};

it("names the position that each chosen picture belongs to", () => {
  expect(
    picturesOf({ id: 9 }, values).map(({ salesOrderId, position, itemName, file }) => [
      salesOrderId,
      position,
      itemName,
      file.name,
    ]),
  ).toEqual([
    [9, 1, "Anillo", "a.png"],
    [9, 3, "Dije", "c.png"],
  ]);
});

it("keeps no file in a draft", () => {
  expect(withoutPictures(values).items.map(({ picture }) => picture)).toEqual([null, null, null]);
});
