// Many WebSocket clients in one process, over raw TCP, which is cheap enough not to change the measurement.
//
// stdin, line 1: {"port", "origin", "paths": [one a socket]}. Prints "open" once each has had its handshake, and
// its hello where "hello" is true. stdin, line 2: a file name: writes every receipt there (float64 triples
// socket, id, monotonic nanoseconds), prints "written" and ends.
import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const AT_ONCE = 50;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { port, origin, paths, hello, expected } = JSON.parse((await lines.next()).value);
const receipts = new Float64Array(3 * Math.ceil(expected * 1.5));
let used = 0;

function receive(socket, payload, now) {
  // An event begins with {"id":123, and the greeting does not.
  if (payload[2] !== 0x69) return socket.greeted();
  let id = 0;
  for (let at = 6; payload[at] >= 0x30 && payload[at] <= 0x39; at++) id = id * 10 + payload[at] - 0x30;
  if (used + 3 > receipts.length) throw new Error("many more receipts than events");
  receipts[used++] = socket.number;
  receipts[used++] = id;
  receipts[used++] = now;
}

function pong(payload) {
  const masked = Buffer.alloc(6 + payload.length);
  masked[0] = 0x8a;
  masked[1] = 0x80 | payload.length;
  payload.copy(masked, 6); // a mask of zeros changes nothing
  return masked;
}

/** Takes the whole frames out of `data`; returns what is left. */
function frames(socket, data, now) {
  let at = 0;
  while (data.length - at >= 2) {
    let size = data[at + 1];
    let start = at + 2;
    if (size === 126) {
      if (data.length - at < 4) break;
      size = data.readUInt16BE(start);
      start += 2;
    } else if (size === 127) {
      if (data.length - at < 10) break;
      size = Number(data.readBigUInt64BE(start));
      start += 8;
    }
    if (data.length - start < size) break;
    const payload = data.subarray(start, start + size);
    const kind = data[at] & 0x0f;
    if (kind === 1) receive(socket, payload, now);
    else if (kind === 9) socket.tcp.write(pong(payload));
    else if (kind === 8) throw new Error(`socket ${socket.number} closed ${payload.readUInt16BE(0)}`);
    at = start + size;
  }
  return at === data.length ? null : data.subarray(at);
}

function open(number, path) {
  return new Promise((resolve, reject) => {
    const socket = { number, greeted: resolve, tcp: connect({ port, host: "127.0.0.1", noDelay: true }) };
    let rest = null;
    let handshaken = false;
    socket.tcp.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nUpgrade: websocket\r\n` +
        `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`,
    );
    socket.tcp.on("error", reject);
    socket.tcp.on("data", (chunk) => {
      const now = Number(process.hrtime.bigint());
      rest = rest === null ? chunk : Buffer.concat([rest, chunk]);
      if (!handshaken) {
        const end = rest.indexOf("\r\n\r\n");
        if (end < 0) return;
        const status = rest.subarray(9, 12).toString();
        if (status !== "101") return reject(new Error(`handshake answered ${status}`));
        handshaken = true;
        rest = rest.subarray(end + 4);
        if (!hello) resolve();
      }
      rest = frames(socket, rest, now);
    });
  });
}

let next = 0;
async function opener() {
  while (next < paths.length) {
    const number = next++;
    await open(number, paths[number]);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, opener));
console.log("open");

const file = openSync((await lines.next()).value, "w");
writeSync(file, new Uint8Array(receipts.buffer, 0, used * 8));
closeSync(file);
console.log("written");
process.exit(0);
