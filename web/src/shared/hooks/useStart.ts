/** What a new installation still lacks, until everything is there or the user hides it. */
import { useCallback, useEffect } from "react";
import type { Schemas } from "@/contract";
import { catalogPath } from "@/shared/catalogPaths";
import { external } from "@/shared/external";
import { useAnswer } from "@/shared/http/data";
import { START } from "@/shared/http/keys";
import { useMay, useSignedIn } from "@/shared/session/session";
import { ofBrowser } from "@/shared/stored";

export type Start = Schemas["StartOut"];
export type Step = Start["steps"][number]["name"];

/** The state of the address that the sign-in leads to, if the user had asked for no page. */
export const LANDED = "landed";

const NEW = "record=new";
/** Where each step is done. */
export const STEP_PATHS: Record<Step, string> = {
  company: `${catalogPath("companies")}?${NEW}`,
  processes: `${catalogPath("production-processes")}?${NEW}`,
  roles: "/administration/roles",
  people: `/administration/users?${NEW}`,
  customers: `${catalogPath("customers")}?${NEW}`,
  products: `${catalogPath("items")}?${NEW}`,
  order: "/operations/sales-orders/new",
  sheet: "/operations/sales-orders",
  movement: "/operations/orders",
  bill: "/reports/bills/new",
};

/**
 * A user's answer, stored in this browser: "empty" declines the sample workshop, "over" hides the
 * list.
 */
type Answered = "empty" | "over";

const WHILE_LOADING = 2_000;
const WHILE_MOVING = 15_000;
const answers = external(0);
const keyOf = (userId: number) => `start:${userId}`;

function refreshed(known: Start | undefined): number {
  if (known?.sample === "loading") return WHILE_LOADING;
  return known?.demo?.movingUntil ? WHILE_MOVING : 0;
}

/** The user's answer, and whether the list is still theirs to see. */
export function useStartAnswer() {
  answers.use();
  const { id } = useSignedIn().user;
  const answered = ofBrowser.getItem(keyOf(id));
  return { answered, asks: useMay("UpdateRole") && answered !== "over" };
}

export function useStart() {
  const { id } = useSignedIn().user;
  const { answered, asks } = useStartAnswer();
  const { data, error, mutate } = useAnswer(START, asks ? {} : null, {
    quiet: true,
    // The user may create a first record and come back here within the time in which SWR would not
    // ask again.
    dedupingInterval: 0,
    // SWR reads the interval again only for another function: else it never begins to ask.
    refreshInterval: (known) => refreshed(known),
  });
  const answer = useCallback(
    (what: Answered) => {
      ofBrowser.setItem(keyOf(id), what);
      answers.set(answers.get() + 1);
    },
    [id],
  );
  const left = data?.steps.filter(({ done }) => !done).length;
  const demo = data?.demo ?? null;
  const isComplete = left === 0 && demo === null;
  useEffect(() => {
    if (isComplete) answer("over");
  }, [isComplete, answer]);
  const start = asks && data !== undefined && left !== 0 ? data : null;
  const sample = answered === "empty" ? null : (start?.sample ?? null);
  const hasOrders = start?.steps.find(({ name }) => name === "order")?.done !== false;
  const isUnknown = asks && data === undefined && error === undefined;
  return {
    start,
    demo,
    isNew: start !== null,
    isUnknown,
    hasOrders,
    left: left ?? 0,
    sample,
    answer,
    mutate,
  };
}
