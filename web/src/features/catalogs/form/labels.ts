/** Format the parts of a form on one line, to show what others changed. */
import type { Address, Phone, Place } from "@/contract";
import type { ComponentRow } from "./ComponentRows";

const filled = (parts: readonly (string | undefined)[], between: string): string =>
  parts.filter((part) => part !== undefined && part !== "").join(between);

export function placeText(place: Place): string {
  const { street, exteriorNumber, interiorNumber, ...rest } = place;
  const door = filled([street, exteriorNumber, interiorNumber], " ");
  const { neighborhood, postalCode, city, state, country } = rest;
  return filled([door, neighborhood, postalCode, city, state, country], ", ");
}

export function addressesText(addresses: readonly Address[]): string {
  return addresses.map(({ kind: _kind, ...place }) => placeText(place)).join("; ");
}

export function phoneText({ countryCode, number, extension }: Phone): string {
  const whole = filled([countryCode, number], " ");
  return extension ? `${whole} × ${extension}` : whole;
}

export function componentsText(rows: readonly ComponentRow[]): string {
  return rows
    .map(({ componentName, materialName, notes }) =>
      filled([componentName, materialName, notes], ", "),
    )
    .join("; ");
}
