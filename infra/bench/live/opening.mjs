// Opens sockets as clients do: a ticket by HTTP, the handshake, the hello, AT_ONCE at a time. One JSON line on stdin:
// {"port", "origin", "tokens": [one a socket]}. Prints {"seconds", "closed": {code: how many}, "failed"} and ends.
import { createInterface } from "node:readline";

const AT_ONCE = 50;
const [line] = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next().then(({ value }) => [value]);
const { port, origin, tokens } = JSON.parse(line);
const server = `127.0.0.1:${port}`;
const closed = {};
let failed = 0;

async function ticket(token) {
  const answer = await fetch(`http://${server}/api/live/ticket`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, Origin: origin },
  });
  if (!answer.ok) throw new Error(`ticket: ${answer.status}`);
  return (await answer.json()).ticket;
}

/** Resolves at the hello; what is closed later is counted too. */
function greeted(address) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers: { Origin: origin } });
    socket.onmessage = () => resolve();
    socket.onerror = () => reject(new Error("handshake"));
    socket.onclose = ({ code }) => {
      closed[code] = (closed[code] ?? 0) + 1;
      resolve();
    };
  });
}

let next = 0;
async function opener() {
  while (next < tokens.length) {
    const token = tokens[next++];
    try {
      await greeted(`ws://${server}/ws/events?ticket=${await ticket(token)}`);
    } catch {
      failed += 1;
    }
  }
}

const begun = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, opener));
const seconds = (performance.now() - begun) / 1000;
await new Promise((resolve) => setTimeout(resolve, 2_000)); // events that are still on their way close nobody
console.log(JSON.stringify({ seconds, closed, failed }));
process.exit(0);
