/** What a new installation still lacks, until everything is there or the user hides it. */
import { useCallback, useEffect } from "react";
import type { Schemas } from "@/contract";
import { external } from "@/shared/external";
import { useAnswer } from "@/shared/http/data";
import { START } from "@/shared/http/keys";
import { useMay, useSignedIn } from "@/shared/session/session";
import { ofBrowser } from "@/shared/stored";

export type Start = Schemas["StartOut"];
/**
 * A user's answer, stored in this browser: "empty" declines the sample workshop, "over" hides the
 * list.
 */
type Answered = "empty" | "over";

const WHILE_LOADING = 2_000;
const answers = external(0);
const keyOf = (userId: number) => `start:${userId}`;

export function useStart() {
  answers.use();
  const { id } = useSignedIn().user;
  const answered = ofBrowser.getItem(keyOf(id));
  const asks = useMay("UpdateRole") && answered !== "over";
  const { data, mutate } = useAnswer(START, asks ? {} : null, {
    quiet: true,
    // The user may create a first record and come back here within the time in which SWR would not
    // ask again.
    dedupingInterval: 0,
    refreshInterval: (known) => (known?.sample === "loading" ? WHILE_LOADING : 0),
  });
  const answer = useCallback(
    (what: Answered) => {
      ofBrowser.setItem(keyOf(id), what);
      answers.set(answers.get() + 1);
    },
    [id],
  );
  const left = data?.steps.filter(({ done }) => !done).length;
  useEffect(() => {
    if (left === 0) answer("over");
  }, [left, answer]);
  const start = asks && data !== undefined && left !== 0 ? data : null;
  const sample = answered === "empty" ? null : (start?.sample ?? null);
  const hasOrders = start?.steps.find(({ name }) => name === "order")?.done !== false;
  return { start, isNew: start !== null, hasOrders, left: left ?? 0, sample, answer, mutate };
}
