/** A proxy in front of the server: it can stop, and start again with another release of the client. */
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

export class ReleaseServer {
  readonly #behind: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #release = "first";
  /** Paths to which it cuts the connection. */
  #refused: RegExp | null = null;
  #port = 0;

  constructor(baseURL: string) {
    this.#behind = new URL(baseURL);
    this.#server = createServer((asked, answer) => {
      // Request whole, uncompressed bodies: the proxy changes some of them.
      const headers = { ...asked.headers };
      for (const name of ["accept-encoding", "if-none-match", "if-modified-since"]) {
        delete headers[name];
      }
      const path = asked.url ?? "/";
      if (this.#refused?.test(path) === true) {
        answer.destroy();
        return;
      }
      const further = request(new URL(path, this.#behind), { method: asked.method, headers });
      further.on("response", (got) => {
        const send = (body: Buffer) => {
          const { "content-length": _, ...rest } = got.headers;
          answer.writeHead(got.statusCode ?? 502, rest).end(body);
        };
        void whole(got).then((body) => send(this.#released(path, body)));
      });
      further.on("error", () => answer.destroy());
      asked.pipe(further);
    });
    this.#server.on("connection", (socket) => this.#keep(socket));
    this.#server.on("upgrade", ({ method, url, rawHeaders }: IncomingMessage, socket, head) => {
      const further = connect(Number(this.#behind.port), this.#behind.hostname);
      const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      further.write(`${method} ${url} HTTP/1.1\r\n${lines.join("")}\r\n`);
      further.write(head);
      socket.pipe(further).pipe(socket);
      for (const each of [socket, further]) {
        each.on("error", () => {
          socket.destroy();
          further.destroy();
        });
      }
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Start with this release at the same address as before. Cut connections to paths that match `refused`. */
  async start(release: string, refused: RegExp | null = null): Promise<void> {
    this.#release = release;
    this.#refused = refused;
    await new Promise<void>((resolve) => {
      this.#server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  answerAll(): void {
    this.#refused = null;
  }

  /** Stop listening, and cut all connections. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
  }

  /** Mark the page with the release, and change its revision in the service worker. */
  #released(path: string, body: Buffer): Buffer {
    const { pathname } = new URL(path, this.#behind);
    const isPage = pathname === "/" || pathname === "/index.html";
    if (!isPage && pathname !== "/sw.js") return body;
    const text = body.toString();
    return Buffer.from(
      isPage
        ? text.replace("<head>", `<head><meta name="release" content="${this.#release}" />`)
        : text.replace(/("?url"?:"index\.html","?revision"?:")[^"]*/, `$1${this.#release}`),
    );
  }
}

async function whole(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
