/** Ant Design's theme, made from the palette. */
import type { ThemeConfig } from "antd/es/config-provider";
import darkAlgorithm from "antd/es/theme/themes/dark";
import type { Density, ThemeName } from "./look";
import { COLORS, CORNERS, OF_ANT, SIZES, SPACES } from "./palette";

function tokensOf(name: ThemeName): NonNullable<ThemeConfig["token"]> {
  const color = { ...COLORS[name], ...OF_ANT[name] };
  return {
    borderRadius: CORNERS.radius,
    controlHeight: 34,
    controlHeightLG: 44,
    fontSize: SIZES.normal,
    fontFamily: "var(--ob-font)",
    wireframe: false,
    colorPrimary: color.primary,
    colorPrimaryHover: color.primaryHover,
    colorPrimaryActive: color.primaryActive,
    colorInfo: color.primary,
    colorLink: color.primary,
    colorLinkHover: color.accent,
    colorError: color.danger,
    colorSuccess: color.success,
    colorWarning: color.warning,
    colorText: color.text,
    colorTextDescription: color.muted,
    colorTextSecondary: color.muted,
    colorTextTertiary: color.muted,
    colorTextPlaceholder: color.placeholder,
    colorBgBase: color.surface,
    colorBgLayout: color.bg,
    colorBgContainer: color.surface,
    colorBgElevated: color.raised,
    colorBorder: color.fieldBorder,
    colorBorderSecondary: color.border,
    controlItemBgActive: color.primarySoft,
    controlItemBgActiveHover: color.primarySoftHover,
  };
}

/** Controls of touch screens are 48 pixels high, small ones too; see also `hand.css`. */
const hand = {
  controlHeight: 48,
  controlHeightSM: 48,
  controlHeightLG: 56,
  fontSize: SIZES.large,
};
const LOOKS = {
  comfortable: {},
  compact: { controlHeight: 30, fontSize: SIZES.small },
  hand,
};
const CELLS = {
  comfortable: { cellPaddingBlockMD: 10, cellPaddingInlineMD: 12 },
  compact: { cellPaddingBlockMD: 5, cellPaddingInlineMD: 8 },
};

/** Ant Design's theme. Touch screens (`hand`) keep large controls at any density. */
export function antTheme(name: ThemeName, isHand: boolean, density: Density): ThemeConfig {
  const { accent, onPrimary } = COLORS[name];
  return {
    token: {
      ...tokensOf(name),
      ...LOOKS[isHand ? "hand" : density],
      motion: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
    },
    ...(name === "dark" ? { algorithm: darkAlgorithm } : {}),
    components: {
      Table: CELLS[isHand ? "comfortable" : density],
      // A drawer's buttons end where its fields do.
      Drawer: { footerPaddingInline: SPACES[4]! },
      Form: { itemMarginBottom: SPACES[3]! },
      Tabs: { inkBarColor: accent },
      Button: { primaryColor: onPrimary, dangerColor: onPrimary },
    },
  };
}
