/** The theme and density that the user chooses, stored by the browser; by default light and comfortable. */
import { ofBrowser } from "@/shared/stored";
import { external } from "@/shared/external";

export type ThemeName = "light" | "dark";
export type Density = "comfortable" | "compact";

/** A choice stored under `key`, and set as a data attribute of the same name for the style sheets. */
function keptLook<T extends string>(key: "theme" | "density", usual: T, other: T) {
  const look = external(ofBrowser.getItem(key) === other ? other : usual);
  document.documentElement.dataset[key] = look.get();
  return {
    use: (): T => look.use(),
    choose: (chosen: T): void => {
      ofBrowser.setItem(key, chosen);
      document.documentElement.dataset[key] = chosen;
      look.set(chosen);
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
