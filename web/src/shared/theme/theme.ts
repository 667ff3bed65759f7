/** Ant Design's tokens, with the same values as tokens.css. */
import type { ThemeConfig } from "antd/es/config-provider";
import darkAlgorithm from "antd/es/theme/themes/dark";
import type { Density, ThemeName } from "./look";

const shape = {
  borderRadius: 8,
  controlHeight: 34,
  fontSize: 14,
  fontFamily: "var(--ob-font)",
  wireframe: false,
};

const tokens: Record<ThemeName, NonNullable<ThemeConfig["token"]>> = {
  light: {
    ...shape,
    colorPrimary: "#1b4a73",
    colorPrimaryHover: "#133a5c",
    colorPrimaryActive: "#0d2b46",
    colorInfo: "#1b4a73",
    colorLink: "#1b4a73",
    colorLinkHover: "#a5471a",
    colorError: "#b3141f",
    colorSuccess: "#17683a",
    colorWarning: "#735300",
    colorText: "#17212c",
    colorTextDescription: "#535d6a",
    colorTextSecondary: "#535d6a",
    colorTextTertiary: "#535d6a",
    colorTextPlaceholder: "#636d7a",
    colorBgLayout: "#f1f2f4",
    colorBorder: "#bcc3cc",
    colorBorderSecondary: "#dcdfe4",
    controlItemBgActive: "#e4ebf1",
    controlItemBgActiveHover: "#d8e2eb",
  },
  dark: {
    ...shape,
    colorPrimary: "#a9c8e6",
    colorInfo: "#a9c8e6",
    colorLink: "#a9c8e6",
    colorLinkHover: "#f2a477",
    colorError: "#ff9c98",
    colorSuccess: "#83d6a4",
    colorWarning: "#f3c969",
    colorText: "#e9ecf0",
    colorTextDescription: "#a7b1bd",
    colorTextSecondary: "#a7b1bd",
    colorTextTertiary: "#a7b1bd",
    colorTextPlaceholder: "#97a3b1",
    colorBgBase: "#17202a",
    colorBgLayout: "#0f151c",
    colorBgContainer: "#17202a",
    colorBgElevated: "#1f2a36",
    colorBorder: "#4a5867",
    colorBorderSecondary: "#2e3a47",
    controlItemBgActive: "#20344a",
    controlItemBgActiveHover: "#284059",
  },
};

/** The colour of the bar under the chosen tab. */
const ACCENT: Record<ThemeName, string> = { light: "#a5471a", dark: "#f2a477" };

/** Controls of touch screens are 48 pixels high, small ones too; see also `hand.css`. */
const large = { controlHeight: 48, controlHeightSM: 48, controlHeightLG: 56, fontSize: 16 };
const compact = { controlHeight: 30, fontSize: 13 };
const SIZES = { comfortable: {}, compact, hand: large };
const CELLS = {
  comfortable: { cellPaddingBlockMD: 10, cellPaddingInlineMD: 12 },
  compact: { cellPaddingBlockMD: 5, cellPaddingInlineMD: 8 },
};

/** Ant Design's theme. Touch screens (`hand`) keep large controls at any density. */
export function antTheme(name: ThemeName, hand: boolean, density: Density): ThemeConfig {
  return {
    token: {
      ...tokens[name],
      ...SIZES[hand ? "hand" : density],
      motion: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
    },
    ...(name === "dark" ? { algorithm: darkAlgorithm } : {}),
    components: {
      Table: CELLS[hand ? "comfortable" : density],
      Tabs: { inkBarColor: ACCENT[name] },
      Button: name === "dark" ? { primaryColor: "#0d1620", dangerColor: "#0d1620" } : {},
    },
  };
}
