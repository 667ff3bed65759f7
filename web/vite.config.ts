import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import manifest from "./package.json" with { type: "json" };

/** Where `vite` finds the server while somebody works on the client. */
const server = process.env["API_URL"] ?? "http://127.0.0.1:8000";
const proxied = Object.fromEntries(
  ["/api", "/identity", "/pdf", "/assets", "/health", "/media"].map((base) => [base, server]),
);

export default defineConfig({
  base: "./",
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  define: { "import.meta.env.VITE_VERSION": JSON.stringify(manifest.version) },
  build: {
    assetsDir: "static",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    manifest: true,
  },
  server: { proxy: { ...proxied, "/ws": { target: server, ws: true } } },
});
