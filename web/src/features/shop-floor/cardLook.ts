/** The look of a card: how old it is, and a name that is readable from five metres. */

/**
 * Age of a card. 0: below the usual time of its process. 1, 2, 3: at least one, two, four times
 * that time.
 */
export type Heat = 0 | 1 | 2 | 3;

export function timesUsual(minutes: number, usualSeconds: number | null): number {
  return usualSeconds === null ? 0 : (minutes * 60) / Math.max(60, usualSeconds);
}

export function heatOf(times: number): Heat {
  if (times < 1) return 0;
  if (times < 2) return 1;
  return times < 4 ? 2 : 3;
}

/**
 * Return the letters of the longer line if the name is split as evenly as possible into two lines.
 */
export function lettersInTwo(name: string): number {
  const spaces = [...name.matchAll(/ /g)].map(({ index }) => index);
  return Math.min(name.length, ...spaces.map((at) => Math.max(at, name.length - at - 1)));
}

/**
 * Shorten a name: "Tomás A.". The workshop knows who is meant, and it must be large enough to read
 * from five metres.
 */
export function shortName(name: string): string {
  const [first = "", second = ""] = name.split(" ");
  return second === "" ? first : `${first} ${[...second][0]}.`;
}
