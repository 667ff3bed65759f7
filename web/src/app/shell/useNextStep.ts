/** On the first day of an installation, name the next step after each one that was done. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { STEP_PATHS, useStartAnswer, type Start } from "@/shared/hooks/useStart";
import { useAnswer } from "@/shared/http/data";
import { START } from "@/shared/http/keys";
import { toast, useSuccesses } from "@/shared/ui/toast";

/**
 * After a write that completed a step, name the next one and link to it. Asks nothing before the
 * first write, and nothing once the list is complete or hidden.
 */
export function useNextStep(): void {
  const { t } = useTranslation("home");
  const writes = useSuccesses();
  const { asks } = useStartAnswer();
  const { data, mutate } = useAnswer(START, asks && writes > 0 ? {} : null, { quiet: true });
  const before = useRef<Start>(undefined);
  useEffect(() => {
    if (writes > 1) void mutate();
  }, [writes, mutate]);
  useEffect(() => {
    const was = before.current;
    before.current = data;
    if (was === undefined || data === undefined) return;
    const open = new Set(was.steps.filter(({ done }) => !done).map(({ name }) => name));
    const next = data.steps.find(({ done }) => !done);
    if (next === undefined || !data.steps.some(({ name, done }) => done && open.has(name))) return;
    const step = t(`start.step.${next.name}`);
    toast.next({ name: t("start.next", { step }), path: STEP_PATHS[next.name] });
  }, [data, t]);
}
