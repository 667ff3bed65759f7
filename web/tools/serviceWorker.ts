/** Build the service worker with the client, and write the list of files to cache into it. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The place of the list in the source. The minifier may rename the object before the dot. */
const LIST = /[\w$]+\.keptFiles/;
/** File names with Vite's content hash: they need no revision, because a new version has a new name. */
const HASHED = /-[\w-]{8,}\.(js|css|woff2?|svg|png)$/;

type Content = string | Uint8Array;

const entryOf = (url: string, content: Content) => ({
  url,
  revision: HASHED.test(url)
    ? null
    : createHash("sha256").update(content).digest("hex").slice(0, 16),
});

export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    async generateBundle(_, bundle) {
      const built = Object.values(bundle).map((file) =>
        entryOf(file.fileName, file.type === "chunk" ? file.code : file.source),
      );
      const given = readdirSync(`${root}public`).map((name) =>
        entryOf(name, readFileSync(`${root}public/${name}`)),
      );
      const kept = [...built, ...given].filter(({ url }) => !url.startsWith(".vite/"));
      const source = (await compiled()).replace(LIST, () => JSON.stringify(kept));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

/** Compile to one classic script: not every browser supports imports in a worker. */
async function compiled(): Promise<string> {
  const output = await build({
    configFile: false,
    root,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      copyPublicDir: false,
      lib: { entry: `${root}src/sw.ts`, formats: ["iife"], name: "serviceWorker" },
    },
  });
  const [{ output: files }] = output as { output: { code: string }[] }[] as [
    { output: { code: string }[] },
  ];
  const code = files[0]?.code ?? "";
  if (!LIST.test(code)) throw new Error("The service worker has no place for its list.");
  return code;
}
