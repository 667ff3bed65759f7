import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { palette } from "./tools/palette.ts";
import { serviceWorker } from "./tools/serviceWorker.ts";
import manifest from "./package.json" with { type: "json" };

/** Where `vite` finds the server while somebody works on the client. */
const server = process.env["API_URL"] ?? "http://127.0.0.1:8000";
const proxied = Object.fromEntries(
  ["/api", "/identity", "/pdf", "/assets", "/health", "/media"].map((base) => [base, server]),
);

type Look = (id: string) => { importedIds: readonly string[] } | null;
const ENTRIES = ["src/app/main.tsx", "src/features/login/LoginPage.tsx"].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

/** Whether the sign-in page needs a module: what it needs comes in one file, and nothing else comes with it. */
function isOfTheStart(id: string, look: Look): boolean {
  if (start.size === 0) ENTRIES.forEach((each) => follow(each, look));
  return start.has(id) && !ENTRIES.includes(id);
}
const start = new Set<string>();

function follow(id: string, look: Look): void {
  if (start.has(id)) return;
  start.add(id);
  look(id)?.importedIds.forEach((each) => follow(each, look));
}

export default defineConfig({
  base: "./",
  plugins: [react(), palette(), serviceWorker()],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  define: { "import.meta.env.VITE_VERSION": JSON.stringify(manifest.version) },
  build: {
    assetsDir: "static",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    manifest: true,
    rolldownOptions: {
      output: {
        // Shared code is cut into files that import each other: each module still runs before who needs it.
        strictExecutionOrder: true,
        codeSplitting: {
          groups: [
            {
              name: (id, context) =>
                isOfTheStart(id, (each) => context.getModuleInfo(each)) ? "start" : null,
              debugName: "start",
              priority: 1,
            },
            {
              // All but those of the sign-in, which main.tsx loads first.
              name: (id) => {
                const [, language] =
                  /\/locales\/(\w+)\/(?!(?:shared|shell|login)\.json)/.exec(id) ?? [];
                return language === undefined ? null : `words-${language}`;
              },
              debugName: "words",
              priority: 1,
            },
            {
              name: "common",
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 100_000,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { ...proxied, "/ws": { target: server, ws: true } } },
});
