import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config.ts";

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      environment: "jsdom",
      // Keeps files apart as processes would, in a third of the time.
      pool: "vmThreads",
      environmentOptions: { jsdom: { url: "http://obrador.test/" } },
      include: ["src/**/*.test.{ts,tsx}"],
      setupFiles: ["src/testing/setup.ts"],
      restoreMocks: true,
      // The suite runs with low priority beside the browser: a test of 1 s may take ten times as long.
      testTimeout: 20_000,
      hookTimeout: 20_000,
    },
  }),
);
