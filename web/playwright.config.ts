/** Journeys in a real browser against a real server with the demo data; `BASE_URL` takes one that runs already. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { freePort } from "../tests/e2e/freePort";
import { CHROMIUM } from "./tools/chromium.ts";

/** A server of the journeys. `mail`: where the mailbox of the recovery journey listens. */
interface Server {
  url: string;
  mail: number;
}

// Workers read this file again: the first reading decides, and the environment tells the others.
const given = process.env["BASE_URL"];
const data = process.env["E2E_DATA"] ?? mkdtempSync(join(tmpdir(), "obrador-e2e-"));
if (process.env["E2E_DATA"] === undefined) {
  process.env["E2E_DATA"] = data;
  process.on("exit", () => rmSync(data, { recursive: true, force: true }));
}
// Each worker has a server with a database of its own, unless all use the one database or server that is given.
const workers = given === undefined && !process.env["DATABASE_URL"] ? 2 : 1;
const servers = JSON.parse(
  (process.env["E2E_SERVERS"] ??= JSON.stringify(
    given === undefined
      ? await Promise.all(Array.from({ length: workers }, newServer))
      : [{ url: given, mail: 0 }],
  )),
) as Server[];
// Two runs beside each other must not clear each other's traces.
const run = (process.env["E2E_RUN"] ??= String(process.pid));

async function newServer(): Promise<Server> {
  return { url: `http://127.0.0.1:${await freePort()}`, mail: await freePort() };
}

// The servers start one after the other, so the demo is made once, and each of them gets a copy.
if (workers > 1 && process.env["E2E_DEMO"] === undefined) {
  const demo = (process.env["E2E_DEMO"] = join(data, "demo"));
  mkdirSync(demo);
  for (const command of ["migrate", "demo"]) {
    execFileSync("../.venv/bin/python", ["../manage.py", command, "--verbosity", "0"], {
      env: { ...process.env, DATA_DIR: demo },
    });
  }
  servers.forEach((_, worker) => cpSync(demo, join(data, String(worker)), { recursive: true }));
}

// The receiver of webhooks in the journeys: the server sends by https alone, and trusts this certificate.
const certificate = (process.env["E2E_CERTIFICATE"] ??= join(data, "receiver.pem"));
if (given === undefined && !existsSync(certificate)) {
  execFileSync("../.venv/bin/python", ["../tests/e2e/certificate.py", certificate]);
}

/** The tag of journeys that depend on the servers behind the product: what they store, push and tell apart by time. */
const ON_EVERY_SERVER = /@servers/;
/** The tag of journeys that count, sort or disturb what the journeys of a worker share: they are walked last. */
const ALONE = /@alone/;
const TESTS = "../tests/e2e";

export default defineConfig({
  testDir: TESTS,
  outputDir: `test-results/${run}`,
  workers,
  // Two browsers, two servers and the other tests share the machine: a cold print may take ten times as long as alone.
  timeout: 90_000,
  // Longer than a page may wait before it loads an answer again: 25 s, see LiveAnswers.ts.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  forbidOnly: process.env["CI"] !== undefined,
  projects: [
    { name: "servers", grep: ON_EVERY_SERVER },
    { name: "screens", grepInvert: [ON_EVERY_SERVER, ALONE] },
    { name: "alone", grep: ALONE },
  ],
  use: {
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
        webServer: servers.map(({ url, mail }, worker) => ({
          command: "exec bash ../infra/setup/run.sh",
          env: {
            HOST: "127.0.0.1",
            PORT: new URL(url).port,
            PUBLIC_URL: url,
            DATA_DIR: join(data, String(worker)),
            EMAIL_URL: `smtp://127.0.0.1:${mail}`,
            SSL_CERT_FILE: certificate,
            WEBHOOK_NETWORKS: "127.0.0.0/8",
          },
          url: `${url}/health/ready`,
          timeout: 300_000,
          gracefulShutdown: { signal: "SIGTERM" as const, timeout: 10_000 },
        })),
      }
    : {}),
});
