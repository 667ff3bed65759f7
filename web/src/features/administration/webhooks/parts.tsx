/** Parts shared by the list, the form and the deliveries of webhooks. */
import { useCallback, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { WEBHOOK_EVENTS, type Webhook } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { Chip } from "@/shared/ui/Chip";
import { isKnown, stateOf, TONES } from "./states";

export const WEBHOOKS_PAGE = "/administration/webhooks";
export const deliveriesPath = (id: number) => `${WEBHOOKS_PAGE}/${id}/deliveries`;

export function StateChip({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("administration");
  const state = stateOf(webhook);
  return <Chip tone={TONES[state]}>{t(`webhook.state.${state}`)}</Chip>;
}

/** Say why the webhook does not send and how many events it gave up; "" if neither applies. */
export function useStateText(webhook: Webhook): string {
  const { t } = useTranslation("administration");
  const state = stateOf(webhook);
  const texts: string[] = [];
  if (state !== "good") {
    texts.push(
      t(`webhook.why.${state}`, {
        since: formatInstant(webhook.failingSince),
        next: formatInstant(webhook.nextAt),
        at: formatInstant(webhook.stoppedAt),
      }),
    );
  }
  if (webhook.givenUp > 0) {
    texts.push(
      t("webhook.givenUp", { count: webhook.givenUp, at: formatInstant(webhook.givenUpAt) }),
    );
  }
  return texts.join(" ");
}

/** Return a function that names an event type. It returns unknown types verbatim. */
export function useEventName(): (type: string) => string {
  const language = useLanguage();
  return useCallback((type) => (isKnown(type) ? WEBHOOK_EVENTS[type][language] : type), [language]);
}

export function EventNames({ types }: { types: readonly string[] }) {
  const { t } = useTranslation("administration");
  const nameOf = useEventName();
  return (
    <span title={types.map(nameOf).join("\n")}>
      {types.length === 1 ? nameOf(types[0]!) : t("webhook.types", { count: types.length })}
    </span>
  );
}

const EVERY = 15_000;

/** Reload the webhooks every 15 s while the page is visible. Deliveries publish no events. */
export function useRenewed(): void {
  const { reload } = useAnswers();
  const renew = useEffectEvent(() => {
    if (!document.hidden) void reload(under(RESOURCES.webhooks));
  });
  useEffect(() => {
    const timer = setInterval(renew, EVERY);
    return () => clearInterval(timer);
  }, []);
}
