/** The pictures of saved lines, sent in the background: each starts 3 s after the one before, whatever page is open. */
import i18next from "i18next";
import { external } from "@/shared/external";
import { asApiError } from "@/shared/http/ApiError";
import { sayPictureFailed } from "@/shared/picture/afterRecord";
import { getSession, useSignedIn } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { sendLinePicture, type LinePicture } from "./linePictures";

export interface Sending extends LinePicture {
  id: number;
  /** The person who chose it: nobody else sees or sends it. */
  userId: number;
  /** How much of it is sent, from 0 to 1. */
  part: number;
  sent: boolean;
  failure: string | null;
}

/** In milliseconds. */
const APART = 3_000;

const pictures = external<readonly Sending[]>([]);
let nextId = 1;
const failureTimers = new Map<number, ReturnType<typeof setTimeout>>();

function publish(next: readonly Sending[]): void {
  // Those that were sent count until the last of them is.
  const sending = next.some(({ sent, failure }) => !sent && failure === null);
  pictures.set(sending ? next : next.filter(({ sent }) => !sent));
}

function update(id: number, change: Partial<Sending>): void {
  publish(pictures.get().map((each) => (each.id === id ? { ...each, ...change } : each)));
}

/** The pictures of the signed-in person that are being sent or failed; none once all are sent. */
export function useSendingPictures(): readonly Sending[] {
  const userId = useSignedIn().user.id;
  return pictures.use().filter((each) => each.userId === userId);
}

/** Starts to send the first one now and each next one 3 s later. */
export function sendPictures(chosen: readonly LinePicture[], userId: number): void {
  const added = chosen.map((picture) => ({
    ...picture,
    id: nextId++,
    userId,
    part: 0,
    sent: false,
    failure: null,
  }));
  publish([...pictures.get(), ...added]);
  schedule(added);
}

/** Sends those of a person that failed again. */
export function sendAgain(userId: number): void {
  const failed = failedOf(userId);
  for (const { id } of failed) {
    clearTimeout(failureTimers.get(id));
    update(id, { part: 0, failure: null });
  }
  schedule(failed);
}

/** Gives up those of a person that failed. */
export function dropFailed(userId: number): void {
  const failed = failedOf(userId);
  for (const { id } of failed) clearTimeout(failureTimers.get(id));
  publish(pictures.get().filter((each) => !failed.includes(each)));
}

const failedOf = (userId: number) =>
  pictures.get().filter((each) => each.userId === userId && each.failure !== null);

function schedule(started: readonly Sending[]): void {
  started.forEach((each, index) => setTimeout(() => void send(each), index * APART));
}

async function send({ id, userId, ...picture }: Sending): Promise<void> {
  if (getSession()?.user.id !== userId) {
    update(id, { failure: i18next.t("shared:errors.generic") });
    return;
  }
  try {
    await sendLinePicture(picture, picture.file, (part) => update(id, { part }));
    update(id, { part: 1, sent: true });
  } catch (reason) {
    update(id, { failure: errorText(asApiError(reason)) });
    failureTimers.set(id, sayPictureFailed());
  }
}
