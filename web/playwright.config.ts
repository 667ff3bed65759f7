/** Journeys in a real browser against a real server with the demo data; `BASE_URL` takes one that runs already. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { freePort } from "../tests/e2e/freePort";
import { CHROMIUM } from "./tools/chromium.ts";

// Workers read this file again: the first reading decides, and the environment tells the others.
const given = process.env["BASE_URL"];
const port = (process.env["E2E_PORT"] ??= given === undefined ? String(await freePort()) : "0");
// The mailbox of the recovery journey listens here.
const mail = (process.env["E2E_MAIL"] ??= given === undefined ? String(await freePort()) : "0");
const data = process.env["E2E_DATA"] ?? mkdtempSync(join(tmpdir(), "obrador-e2e-"));
if (process.env["E2E_DATA"] === undefined) {
  process.env["E2E_DATA"] = data;
  process.on("exit", () => rmSync(data, { recursive: true, force: true }));
}
// Two runs beside each other must not clear each other's traces.
const run = (process.env["E2E_RUN"] ??= String(process.pid));
const baseURL = given ?? `http://127.0.0.1:${port}`;

// The receiver of webhooks in the journeys: the server sends by https alone, and trusts this certificate.
const certificate = (process.env["E2E_CERTIFICATE"] ??= join(data, "receiver.pem"));
if (given === undefined && !existsSync(certificate)) {
  execFileSync("../.venv/bin/python", ["../tests/e2e/certificate.py", certificate]);
}

/** The tag of journeys that depend on the servers behind the product: what they store, push and tell apart by time. */
const ON_EVERY_SERVER = /@servers/;
/** The tag of journeys that count, sort or disturb what all journeys share: they are walked after the others. */
const ALONE = /@alone/;
const TESTS = "../tests/e2e";

/** The files with the other journeys. `E2E_PART=1/2`: the first of two parts, of equal length by the files' sizes. */
function onAnyServer(): string[] {
  const [part = 1, parts = 1] = (process.env["E2E_PART"] || "1/1").split("/").map(Number);
  return readdirSync(TESTS)
    .filter((name) => name.endsWith(".spec.ts"))
    .toSorted((one, other) => statSync(join(TESTS, other)).size - statSync(join(TESTS, one)).size)
    .filter((_, place) => place % parts === part - 1)
    .map((name) => `**/${name}`);
}

export default defineConfig({
  testDir: TESTS,
  outputDir: `test-results/${run}`,
  // One after the other: in a shop where another journey moves lines, lists are loaded again more slowly.
  workers: 1,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  forbidOnly: process.env["CI"] !== undefined,
  projects: [
    { name: "servers", grep: ON_EVERY_SERVER },
    { name: "screens", grepInvert: [ON_EVERY_SERVER, ALONE], testMatch: onAnyServer() },
    { name: "alone", grep: ALONE, testMatch: onAnyServer() },
  ],
  use: {
    baseURL,
    // Recording a trace doubles the time of a run; `npm run e2e -- --trace on` records one.
    trace: "off",
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-software-rasterizer",
        // The pages of one browser share a process, and with it what is compiled: see browsers.ts.
        "--process-per-site",
      ],
    },
  },
  ...(given === undefined
    ? {
        webServer: {
          command: "exec bash ../infra/setup/run.sh",
          env: {
            HOST: "127.0.0.1",
            PORT: port,
            DATA_DIR: data,
            EMAIL_URL: `smtp://127.0.0.1:${mail}`,
            SSL_CERT_FILE: certificate,
            WEBHOOK_NETWORKS: "127.0.0.0/8",
          },
          url: `${baseURL}/health/ready`,
          timeout: 120_000,
          gracefulShutdown: { signal: "SIGTERM" as const, timeout: 10_000 },
        },
      }
    : {}),
});
