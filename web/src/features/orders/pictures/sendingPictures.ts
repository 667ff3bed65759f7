/**
 * Send the pictures of saved lines in the background, on any page. Each starts 3 s after the one
 * before.
 */
import i18next from "i18next";
import { external } from "@/shared/external";
import { asApiError } from "@/shared/http/ApiError";
import { sayPictureFailed } from "@/shared/picture/afterRecord";
import { getSession, useSignedIn } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { sendLinePicture, type LinePicture } from "./linePictures";

export interface Sending extends LinePicture {
  id: number;
  /** The user who chose it. Other users neither see nor send it. */
  userId: number;
  /** The part sent, from 0 to 1. */
  part: number;
  sent: boolean;
  failure: string | null;
}

/** Time between the starts of two pictures, in ms. */
const APART = 3_000;

const pictures = external<readonly Sending[]>([]);
let nextId = 1;
const failureTimers = new Map<number, ReturnType<typeof setTimeout>>();

function publish(next: readonly Sending[]): void {
  // Sent pictures count until all are sent.
  const sending = next.some(({ sent, failure }) => !sent && failure === null);
  pictures.set(sending ? next : next.filter(({ sent }) => !sent));
}

function update(id: number, change: Partial<Sending>): void {
  publish(pictures.get().map((each) => (each.id === id ? { ...each, ...change } : each)));
}

/** The signed-in user's pictures that are being sent or failed; none once all are sent. */
export function useSendingPictures(): readonly Sending[] {
  const userId = useSignedIn().user.id;
  return pictures.use().filter((each) => each.userId === userId);
}

/** Start to send the first picture now and each next one 3 s later. */
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

export function sendAgain(userId: number): void {
  const failed = failedOf(userId);
  for (const { id } of failed) {
    clearTimeout(failureTimers.get(id));
    update(id, { part: 0, failure: null });
  }
  schedule(failed);
}

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
