/** An installation of its own for one journey: a new database with an administrator and nothing else. */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path, { join } from "node:path";
import { promisify } from "node:util";
import { expect, PASSWORD, type Somebody } from "./fixtures";
import { freePort } from "./freePort";

/** Journeys run in the folder of the web client. */
const ROOT = path.resolve("..");

export interface Installation {
  url: string;
  owner: Somebody;
  end: () => Promise<void>;
}

export async function emptyInstallation(): Promise<Installation> {
  const data = mkdtempSync(join(tmpdir(), "obrador-empty-"));
  const port = await freePort();
  const owner = { email: "duena@obrador.test", password: PASSWORD };
  const env = {
    ...process.env,
    DATABASE_URL: "",
    REDIS_URL: "",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: data,
  };
  const manage = (...args: string[]) =>
    promisify(execFile)(join(ROOT, ".venv/bin/python"), ["manage.py", ...args], { cwd: ROOT, env });
  await manage("migrate", "--verbosity", "0");
  await manage("createadmin", owner.email, "--password", owner.password, "--first-name", "Rosa");
  const server = spawn("bash", ["infra/setup/run.sh"], { cwd: ROOT, env, stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `http://127.0.0.1:${port}`;
  const answers = async () => {
    try {
      return (await fetch(`${url}/health/ready`)).status;
    } catch (error) {
      return String(error);
    }
  };
  await expect.poll(answers, { timeout: 180_000 }).toBe(200);
  return {
    url,
    owner,
    end: async () => {
      server.kill("SIGTERM");
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
