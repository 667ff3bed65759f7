// Send each message of a Redis channel to every socket, by `ws` and nothing else. Arguments: own port, Redis port, channel.
import { createRequire } from "node:module";
import { connect } from "node:net";

const { WebSocketServer } = createRequire(new URL("../../web/package.json", import.meta.url))("ws");

const [port, redisPort, channel] = process.argv.slice(2);
const server = new WebSocketServer({ port: Number(port), host: "127.0.0.1" });

const redis = connect({ port: Number(redisPort), host: "127.0.0.1", noDelay: true });
redis.write(`SUBSCRIBE ${channel}\r\n`);
let rest = Buffer.alloc(0);
redis.on("data", (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (let reply = bulk(); reply !== null; reply = bulk()) {
    if (reply[0] === 0x7b) for (const client of server.clients) client.send(reply, { binary: false });
  }
});

/** The next bulk string of Redis' answers, or null; everything that is no bulk string is passed over. */
function bulk() {
  for (;;) {
    const end = rest.indexOf("\r\n");
    if (end < 0) return null;
    if (rest[0] !== 0x24) {
      rest = rest.subarray(end + 2);
      continue;
    }
    const size = Number(rest.subarray(1, end));
    if (rest.length < end + 2 + size + 2) return null;
    const text = rest.subarray(end + 2, end + 2 + size);
    rest = rest.subarray(end + 2 + size + 2);
    return text;
  }
}
server.on("listening", () => console.log("listening"));
