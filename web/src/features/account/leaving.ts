/** A changed password ends every session; this one only once its message has been read. Specification 2, section 9. */
import { holdSession, signOut } from "@/shared/session/session";

/** How long the dialog stays after the password was changed. */
const CLOSES_AFTER = 2_000;

/**
 * Sends the change; once it is made, the session ends two seconds later. Answers whether it was made
 * (`send` answers undefined while an earlier call is under way); throws what `send` throws.
 */
export async function changeAndLeave(send: () => Promise<unknown>): Promise<boolean> {
  // The server's word that the session is over may be quicker than its answer.
  const release = holdSession();
  let answer: unknown;
  try {
    answer = await send();
  } catch (reason) {
    release();
    throw reason;
  }
  if (answer === undefined) {
    release();
    return false;
  }
  setTimeout(() => {
    signOut();
    release();
  }, CLOSES_AFTER);
  return true;
}
