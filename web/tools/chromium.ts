import { existsSync } from "node:fs";

/** The browser of the tests. The shell, which draws to no screen, walks the journeys in four fifths of the time. */
export const CHROMIUM =
  process.env["CHROMIUM"] ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path)) ??
  "";
