/** Ant Design's tokens, taken from the same values as tokens.css; light unless the person chose dark. */
import type { ThemeConfig } from "antd/es/config-provider";
import darkAlgorithm from "antd/es/theme/themes/dark";
import { useSyncExternalStore } from "react";

export type ThemeName = "light" | "dark";

const KEY = "theme";
const listeners = new Set<() => void>();
let current: ThemeName = localStorage.getItem(KEY) === "dark" ? "dark" : "light";
document.documentElement.dataset["theme"] = current;

export function chooseTheme(name: ThemeName): void {
  current = name;
  localStorage.setItem(KEY, name);
  document.documentElement.dataset["theme"] = name;
  for (const listener of listeners) listener();
}

export function useThemeName(): ThemeName {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

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
    colorPrimary: "#0958d9",
    colorPrimaryHover: "#0b4bb3",
    colorPrimaryActive: "#083c91",
    colorLink: "#0958d9",
    colorError: "#b81420",
    colorSuccess: "#17683a",
    colorWarning: "#8a4b00",
    colorText: "#17202c",
    colorTextDescription: "#536072",
    colorTextSecondary: "#536072",
    colorTextTertiary: "#536072",
    colorTextPlaceholder: "#66738a",
    colorBgLayout: "#f4f6f9",
    colorBorder: "#b9c3d1",
    colorBorderSecondary: "#dfe4ec",
  },
  dark: {
    ...shape,
    colorPrimary: "#6ea8ff",
    colorLink: "#8dbaff",
    colorError: "#ff9a9a",
    colorSuccess: "#7fd6a0",
    colorWarning: "#ffc46b",
    colorText: "#e8edf4",
    colorTextDescription: "#a3b0c2",
    colorTextSecondary: "#a3b0c2",
    colorTextTertiary: "#a3b0c2",
    colorTextPlaceholder: "#93a1b5",
    colorBgBase: "#171e28",
    colorBgLayout: "#0f141b",
    colorBgContainer: "#171e28",
    colorBgElevated: "#1f2834",
    colorBorder: "#46556a",
    colorBorderSecondary: "#2d3846",
  },
};

/** What a finger presses is 48 pixels high, small controls too; `hand.css` says the rest. */
const large = { controlHeight: 48, controlHeightSM: 48, controlHeightLG: 56, fontSize: 16 };

export function antTheme(name: ThemeName, hand: boolean): ThemeConfig {
  return {
    token: {
      ...tokens[name],
      ...(hand ? large : {}),
      motion: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
    },
    ...(name === "dark" ? { algorithm: darkAlgorithm } : {}),
    components: {
      Table: { cellPaddingBlockMD: 10, cellPaddingInlineMD: 12 },
      Button: name === "dark" ? { primaryColor: "#0b1420", dangerColor: "#0b1420" } : {},
    },
  };
}
