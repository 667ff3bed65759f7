/** A mail server that keeps its mails. It speaks enough of SMTP to receive one. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class Mailbox {
  readonly #server: Server;
  readonly #mails: string[] = [];
  #awaited: (() => void) | undefined;

  constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  /** Wait for the first mail that names this address. Returns it without soft line breaks. */
  async mailTo(address: string): Promise<string> {
    const found = this.#mails.find((mail) => mail.includes(address));
    if (found !== undefined) return found.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    await new Promise<void>((resolve) => {
      this.#awaited = resolve;
    });
    return this.mailTo(address);
  }

  #serve(socket: Socket): void {
    let received = "";
    let inData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      received += chunk;
      for (;;) {
        const end = inData ? received.indexOf("\r\n.\r\n") : received.indexOf("\r\n");
        if (end < 0) return;
        const text = received.slice(0, end);
        received = received.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          this.#mails.push(text);
          this.#awaited?.();
          say("250 kept");
        } else if (/^DATA/i.test(text)) {
          inData = true;
          say("354 go on");
        } else if (/^QUIT/i.test(text)) {
          say("221 bye");
          socket.end();
        } else say("250 mailbox");
      }
    });
    socket.on("error", () => socket.destroy());
    say("220 mailbox");
  }
}
