/** Form of a webhook: name, URL, service account, event types, and its state and actions. */
import { useTranslation } from "react-i18next";
import type { ServiceAccount, Webhook, WebhookIn } from "@/contract";
import { RecordDrawer, type RecordCalls } from "@/shared/form/RecordDrawer";
import { api, call } from "@/shared/http/client";
import { load, useAnswer } from "@/shared/http/data";
import { useHoldsAll } from "@/shared/session/session";
import { useEventName } from "./parts";
import { WebhookActions } from "./WebhookActions";
import { WebhookFields } from "./WebhookFields";
import "../administration.css";

/** The server's maximum page size. No workshop has more service accounts. */
const EVERY = 200;

interface WebhookValues {
  name: string;
  url: string;
  accountId: number | null;
  types: string[];
}

const place = (id: number) => ({ path: { webhook_id: id } });
const CALLS: RecordCalls<Webhook, WebhookIn> = {
  load: (id) => load("/api/webhooks/{webhook_id}", place(id)),
  create: (headers, body) => call(api.POST("/api/webhooks", { body, headers })),
  update: (headers, id, body) =>
    call(api.PUT("/api/webhooks/{webhook_id}", { params: place(id), body, headers })),
  remove: (headers, id) =>
    call(api.DELETE("/api/webhooks/{webhook_id}", { params: place(id), headers })),
};

interface Props {
  /** Absent for a new webhook. */
  webhook?: Webhook | undefined;
  onClose: () => void;
}

export default function WebhookDrawer({ webhook, onClose }: Props) {
  const { t } = useTranslation("administration");
  const nameOf = useEventName();
  const holdsAll = useHoldsAll();
  const { data: accounts } = useAnswer<"/api/service-accounts", ServiceAccount[]>(
    "/api/service-accounts",
    { query: { limit: EVERY } },
  );
  const named = (id: number | null) => accounts?.find((each) => each.id === id);
  const isAbove = ({ permissions }: ServiceAccount) => !holdsAll(permissions);
  const own = named(webhook?.accountId ?? null);
  const above = own !== undefined && isAbove(own);
  return (
    <RecordDrawer<Webhook, WebhookValues, WebhookIn>
      resource="webhooks"
      record={webhook}
      title={webhook?.name ?? t("webhook.new")}
      nameOf={({ name }) => name}
      calls={CALLS}
      may={{ save: !above, remove: true }}
      valuesOf={({ name, url, accountId, types }) => ({ name, url, accountId, types })}
      blank={{ name: "", url: "", accountId: null, types: [] }}
      bodyOf={({ accountId, ...values }) => ({
        ...values,
        name: values.name.trim(),
        url: values.url.trim(),
        accountId: accountId ?? 0, // never null here: the field is required
      })}
      fields={["name", "url", "accountId", "types"]}
      describe={(field, values) => ({
        label: t(`webhook.field.${field}`),
        text:
          field === "types"
            ? values.types.map(nameOf).join(", ")
            : field === "accountId"
              ? (named(values.accountId)?.name ?? "")
              : values[field],
      })}
      deleteNote={t("webhook.deleteNote")}
      top={
        webhook === undefined ? (
          <p className="ob-quiet">{t("webhook.how")}</p>
        ) : (
          <WebhookActions webhook={webhook} above={above} />
        )
      }
      width={600}
      onClose={onClose}
    >
      <WebhookFields webhook={webhook} accounts={accounts} isAbove={isAbove} />
    </RecordDrawer>
  );
}
