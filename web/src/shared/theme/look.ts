/** The looks that a person chooses, kept by the browser: light and comfortable unless chosen otherwise. */
import { useSyncExternalStore } from "react";

export type ThemeName = "light" | "dark";
export type Density = "comfortable" | "compact";

/** A look that this browser keeps, under the name that the style sheets know it by. */
function keptLook<T extends string>(key: "theme" | "density", usual: T, other: T) {
  const listeners = new Set<() => void>();
  let current = localStorage.getItem(key) === other ? other : usual;
  document.documentElement.dataset[key] = current;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    use: (): T => useSyncExternalStore(subscribe, () => current),
    choose: (chosen: T): void => {
      current = chosen;
      localStorage.setItem(key, chosen);
      document.documentElement.dataset[key] = chosen;
      for (const listener of listeners) listener();
    },
  };
}

export const { use: useThemeName, choose: chooseTheme } = keptLook<ThemeName>(
  "theme",
  "light",
  "dark",
);
export const { use: useDensity, choose: chooseDensity } = keptLook<Density>(
  "density",
  "comfortable",
  "compact",
);
