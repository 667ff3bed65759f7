import { playwright } from "@vitest/browser-playwright";
import { defineConfig, mergeConfig } from "vitest/config";
import { CHROMIUM } from "./tools/chromium.ts";
import vite from "./vite.config.ts";

const IN_BROWSER = "src/**/*.browser.test.{ts,tsx}";
const PRODUCTION = { "process.env.NODE_ENV": JSON.stringify("production") };

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      restoreMocks: true,
      // The suite runs with low priority beside two browsers: a test of 1 s may take thirty times as long.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      projects: [
        {
          extends: true,
          test: {
            name: "jsdom",
            environment: "jsdom",
            // Keeps files apart as processes would, in a third of the time.
            pool: "vmThreads",
            environmentOptions: { jsdom: { url: "http://obrador.test/" } },
            include: ["src/**/*.test.{ts,tsx}"],
            exclude: [IN_BROWSER],
            setupFiles: ["src/testing/setup.ts"],
          },
        },
        {
          extends: true,
          // React as users run it; its development build needs half as much time again. And in tests Ant Design gives
          // every dialog the same id.
          define: PRODUCTION,
          oxc: { jsx: { development: false } },
          optimizeDeps: {
            // All at the start: a package found later loads the page again, in the middle of a test.
            entries: ["src/**/*.{ts,tsx}"],
            rolldownOptions: { transform: { define: PRODUCTION } },
          },
          test: {
            name: "browser",
            include: [IN_BROWSER],
            setupFiles: ["src/testing/browser.ts"],
            expect: { poll: { timeout: 20_000 } },
            browser: {
              enabled: true,
              headless: true,
              screenshotFailures: false,
              // Names and texts match in part, as in the journeys.
              locators: { exact: false },
              viewport: { width: 1440, height: 900 },
              provider: playwright({
                launchOptions: {
                  executablePath: CHROMIUM,
                  args: ["--no-sandbox", "--disable-gpu"],
                },
                contextOptions: { reducedMotion: "reduce" },
              }),
              instances: [{ browser: "chromium" }],
            },
          },
        },
      ],
    },
  }),
);
