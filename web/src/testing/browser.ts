/** What every test in a browser needs: the styles of the product, and its texts. */
import "@/shared/theme/typeface/typeface.css";
import "@/shared/theme/look";
import "virtual:palette.css";
import "@/shared/theme/base.css";
import { afterEach, beforeAll, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { unmountAll } from "./mount";

beforeAll(() => startI18n());
afterEach(() => {
  unmountAll();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});
