/** What every test in a browser needs: the styles of the product, and its texts. */
import "@/shared/theme/typeface/typeface.css";
import "@/shared/theme/look";
import "virtual:palette.css";
import "@/shared/theme/base.css";
import { cleanup } from "@testing-library/react";
import { afterEach, beforeAll, vi } from "vitest";
import { startI18n } from "@/shared/i18n";

beforeAll(() => startI18n());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});
