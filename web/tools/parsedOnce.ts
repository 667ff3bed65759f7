/** Parse each event once for all simulated screens. */
const EVENTS_KEPT = 4_096;

/**
 * Replace `JSON.parse` with one that caches events by id. Real screens each parse on their own machine. Here one
 * process receives every event a thousand times, for users of the same rights: without the cache, parsing would be
 * the slowest part. It holds as many events as the server's window: a screen that is behind must not parse again.
 */
export function parseEventsOnce(): void {
  const parsed = new Map<string, unknown>();
  const parse = JSON.parse;
  JSON.parse = (text: string) => {
    if (!text.startsWith('{"id":')) return parse(text) as unknown;
    const id = text.slice(0, text.indexOf(","));
    const known = parsed.get(id);
    if (known !== undefined) return known;
    const [oldest] = parsed.keys();
    if (parsed.size >= EVENTS_KEPT && oldest !== undefined) parsed.delete(oldest);
    const fresh: unknown = parse(text);
    parsed.set(id, fresh);
    return fresh;
  };
}
