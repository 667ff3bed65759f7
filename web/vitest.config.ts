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
    },
  }),
);
