/**
 * All colours, spaces, type sizes and corners. `theme.ts` makes Ant Design's theme from them, and
 * `tools/palette.ts` the custom properties of the style sheets: `onPrimary` is `--ob-on-primary`.
 */
import type { ThemeName } from "./look";

/**
 * Silver and ink, with the copper of the logo as accent. On every screen `danger` means late, refused or wrong, and
 * `warning` slow or doubtful; no other state has these two.
 */
const light = {
  bg: "#f1f2f4",
  surface: "#ffffff",
  raised: "#ffffff",
  border: "#dcdfe4",
  controlBorder: "#78828f",
  text: "#17212c",
  muted: "#535d6a",
  primary: "#1b4a73",
  primarySoft: "#e4ebf1",
  /** In charts, the colour of a status that is reached only in part, beside `primary`. */
  primaryHalf: "#6593bd",
  onPrimary: "#ffffff",
  accent: "#a5471a",
  accentSoft: "#f9ece4",
  danger: "#b3141f",
  dangerSoft: "#fdebeb",
  /** For orders and lines that are being worked on. */
  working: "#0b6a80",
  workingSoft: "#d9f0f5",
  warning: "#735300",
  warningSoft: "#fdf2cf",
  success: "#17683a",
  successSoft: "#e3f3e9",
  violet: "#5b3a94",
  violetSoft: "#efe9f8",
  neutralSoft: "#e6e8ec",
  shadow: "0 1px 2px rgb(16 24 40 / 6%), 0 8px 24px rgb(16 24 40 / 12%)",
};

const dark: typeof light = {
  bg: "#0f151c",
  surface: "#17202a",
  raised: "#1f2a36",
  border: "#2e3a47",
  controlBorder: "#68778a",
  text: "#e9ecf0",
  muted: "#a7b1bd",
  primary: "#a9c8e6",
  primarySoft: "#20344a",
  primaryHalf: "#5f83a6",
  onPrimary: "#0d1620",
  accent: "#f2a477",
  accentSoft: "#3d2819",
  danger: "#ff9c98",
  dangerSoft: "#3d1b1e",
  working: "#7cd0e4",
  workingSoft: "#10313b",
  warning: "#f3c969",
  warningSoft: "#352b10",
  success: "#83d6a4",
  successSoft: "#153020",
  violet: "#c7b1f5",
  violetSoft: "#2b2244",
  neutralSoft: "#28333f",
  shadow: "0 1px 2px rgb(0 0 0 / 40%), 0 8px 24px rgb(0 0 0 / 40%)",
};

export const COLORS: Record<ThemeName, typeof light> = { light, dark };

/** More colours, used only by Ant Design. */
export const OF_ANT = {
  light: {
    fieldBorder: "#bcc3cc",
    placeholder: "#636d7a",
    primaryHover: "#133a5c",
    primaryActive: "#0d2b46",
    primarySoftHover: "#d8e2eb",
  },
  dark: {
    fieldBorder: "#4a5867",
    placeholder: "#97a3b1",
    primaryHover: "#c3daf0",
    primaryActive: "#8db2d6",
    primarySoftHover: "#284059",
  },
} satisfies Record<ThemeName, object>;

/**
 * Colours that are the same in both themes: paper and ink, marks that call for attention, and the
 * veil over a page that loads.
 */
export const FIXED = {
  paper: "#ffffff",
  ink: "#000000",
  calling: "#ad5a00",
  alarm: "#b81420",
  onAlarm: "#ffffff",
  veil: "rgb(15 23 42 / 6%)",
};

/** Pixels of space between and within parts: `--ob-space-1` to `--ob-space-6`. */
export const SPACES = [4, 8, 12, 16, 24, 40];

/** Type sizes in pixels. The board on a wall has its own sizes, as shares of its screen. */
export const SIZES = {
  /** Captions, marks, and notes beside something. */
  small: 13,
  normal: 14,
  /** Headings of parts, and text on touch screens. */
  large: 16,
  /** Titles of pages, and choices at a station. */
  title: 20,
  /** Figures, and the keys of a station's number pad. */
  figure: 26,
  /** Text that is read at a station from two metres. */
  station: 36,
  /** Tables on paper. */
  paper: 9,
};

/** Radius of corners in pixels. `round`: half a circle at each end. */
export const CORNERS = { radius: 8, round: 999 };

/**
 * Widths of windows. They are in their own file, because the sign-in page loads them without the
 * colours.
 */
export { WIDTHS } from "./widths";
