/** A receiver of webhooks over https: it keeps requests, answers with given statuses, and checks signatures. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";

export interface Received {
  id: string;
  body: string;
  signatures: string[];
  timestamp: string;
}

export class Receiver {
  readonly received: Received[] = [];
  /** The statuses of the next answers; 200 after them. */
  readonly answers: number[] = [];
  readonly #server: Server;

  constructor() {
    const pem = readFileSync(process.env["E2E_CERTIFICATE"] ?? "");
    this.#server = createServer({ key: pem, cert: pem }, (request, response) => {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        const said = (name: string) => String(request.headers[name]);
        this.received.push({
          id: said("webhook-id"),
          body,
          signatures: said("webhook-signature").split(" "),
          timestamp: said("webhook-timestamp"),
        });
        response.writeHead(this.answers.shift() ?? 200).end("thanks");
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

/** Whether a message has a valid signature of Standard Webhooks with this secret. */
export function isSignedWith({ id, timestamp, body, signatures }: Received, secret: string) {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return signatures.includes(`v1,${signed}`);
}
