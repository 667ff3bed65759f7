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

/** What some files need, with all that these import. */
class Needed {
  readonly #entries: readonly string[];
  readonly #found = new Set<string>();

  constructor(...names: string[]) {
    this.#entries = names.map((name) => fileURLToPath(new URL(name, import.meta.url)));
  }

  /** Whether the files need a module. */
  has(id: string, look: Look): boolean {
    if (this.#found.size === 0) this.#entries.forEach((each) => this.#follow(each, look));
    return this.#found.has(id);
  }

  isEntry(id: string): boolean {
    return this.#entries.includes(id);
  }

  #follow(id: string, look: Look): void {
    if (this.#found.has(id)) return;
    this.#found.add(id);
    look(id)?.importedIds.forEach((each) => this.#follow(each, look));
  }
}
const first = new Needed("src/app/main.tsx");
const signIn = new Needed("src/app/start.tsx", "src/features/login/LoginPage.tsx");
const customerPage = new Needed("src/features/customer-page/openPage.tsx");
const office = new Needed("src/app/shell/Shell.tsx", "src/app/shell/AntLook.tsx");

/**
 * The file of a module that every start needs: `open` what both the sign-in and a customer's page need, `start` and
 * `customer-page` what one of them needs besides. Nothing else comes with them.
 */
function startFileOf(id: string, look: Look): string | null {
  if ([first, signIn, customerPage].some((each) => each.isEntry(id))) return null;
  const [ofSignIn, ofPage] = [signIn.has(id, look), customerPage.has(id, look)];
  if (first.has(id, look) || (ofSignIn && ofPage)) return "open";
  if (ofSignIn) return "start";
  return ofPage ? "customer-page" : null;
}

export default defineConfig({
  base: "./",
  plugins: [react(), palette(), serviceWorker()],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  define: { "import.meta.env.VITE_VERSION": JSON.stringify(manifest.version) },
  build: {
    assetsDir: "static",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    manifest: true,
    rolldownOptions: {
      output: {
        // Shared code is cut into files that import each other: each module still runs before who needs it.
        strictExecutionOrder: true,
        codeSplitting: {
          groups: [
            {
              name: (id, context) => startFileOf(id, (each) => context.getModuleInfo(each)),
              debugName: "start",
              priority: 2,
            },
            {
              // What each page of a signed-in user needs besides. A group takes what its modules import, so it comes later.
              name: (id, context) =>
                office.has(id, (each) => context.getModuleInfo(each)) && !office.isEntry(id)
                  ? "office"
                  : null,
              debugName: "office",
              priority: 1,
            },
            {
              name: "common",
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { ...proxied, "/ws": { target: server, ws: true } } },
});
