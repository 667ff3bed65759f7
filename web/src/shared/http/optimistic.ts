/**
 * Show what a write will change from the press on. The answer confirms it; a refusal takes it back, and its reason can
 * be shown where it was pressed. See infra/docs/rules.md#changes-shown-at-once.
 */
import { external } from "@/shared/external";
import { asApiError, type ApiError } from "./ApiError";
import { foresee, nameOf, type Document, type Named } from "./store";
import { forgetWithSession } from "@/shared/session/session";

/** The last write of each document that is under way: resolves with its answer, or undefined if it was refused. */
const underWay = new Map<string, Promise<Document | undefined>>();
const refusals = external<ReadonlyMap<string, ApiError>>(new Map());

/**
 * Show `values` in place of those of `document`, and send the write. A newer version that arrives in the meantime is
 * shown instead. Writes of one document are sent one after the other: `send` gets the document as the write before it
 * was answered, else `document`. Rejects with ApiError.
 */
export async function optimistically<T extends Document, R extends Document>(
  document: T,
  values: Partial<T>,
  send: (now: T) => Promise<R>,
): Promise<R> {
  const name = nameOf(document);
  const before = underWay.get(name);
  const shown = foresee(document, values);
  const write = async () => {
    const answered = before && ((await before) as T | undefined);
    if (answered === undefined || answered.version <= document.version) return send(document);
    // The answer of the earlier write took this one's values off the screen.
    shown.showOver(answered);
    return send(answered);
  };
  const answer = write();
  const settled = answer.catch(() => undefined);
  underWay.set(name, settled);
  try {
    return await answer;
  } finally {
    shown.end();
    if (underWay.get(name) === settled) underWay.delete(name);
  }
}

/** Note why `work` was refused, for the row of `named`. A new write of the row, or the user, removes the note. */
export async function notingRefusal<R>(named: Named, work: () => Promise<R>): Promise<R> {
  forgetRefusal(named);
  try {
    return await work();
  } catch (reason) {
    refusals.set(new Map(refusals.get()).set(nameOf(named), asApiError(reason)));
    throw reason;
  }
}

/** Hook: why the last write of this row was refused; undefined if it was not. */
export const useRefusal = (named: Named): ApiError | undefined =>
  refusals.use((all) => all.get(nameOf(named)));

export function forgetRefusal(named: Named): void {
  if (!refusals.get().has(nameOf(named))) return;
  const left = new Map(refusals.get());
  left.delete(nameOf(named));
  refusals.set(left);
}

forgetWithSession(() => refusals.set(new Map()));
