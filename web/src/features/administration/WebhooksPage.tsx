/** List the webhooks with their account, events, state and number of waiting deliveries. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Webhook } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useAnswer, useList } from "@/shared/http/data";
import type { Columns } from "@/shared/ui/DataTable";
import { ChoiceFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordLink } from "@/shared/ui/RecordLink";
import { RecordGone } from "@/shared/ui/states";
import { deliveriesPath, EventNames, StateChip, useRenewed, useStateText } from "./webhooks/parts";
import "./administration.css";

const WebhookDrawer = lazyPart(() => import("./webhooks/WebhookDrawer"));

export default function WebhooksPage() {
  const { t } = useTranslation(["administration", "forms"]);
  const query = useTableQuery<"active">(["active"]);
  const list = useList("/api/webhooks", { query: query.server }, query);
  const { opened, open, close } = useOpenRecord();
  useRenewed();
  const columns = useMemo<Columns<Webhook>>(
    () => [
      {
        key: "name",
        title: t("webhook.field.name"),
        width: 230,
        sorter: true,
        render: (_, webhook) => (
          <>
            <RecordLink id={webhook.id}>{webhook.name}</RecordLink>
            <span className="ob-quiet ob-small ob-webhook__url">{webhook.url}</span>
          </>
        ),
      },
      {
        key: "account",
        title: t("webhook.field.accountId"),
        width: 130,
        dataIndex: "accountName",
      },
      {
        key: "types",
        title: t("webhook.field.types"),
        width: 150,
        render: (_, { types }) => <EventNames types={types} />,
      },
      {
        key: "active",
        title: t("webhook.state.label"),
        width: 250,
        sorter: true,
        render: (_, webhook) => <State webhook={webhook} />,
      },
      {
        key: "waiting",
        title: t("webhook.waiting"),
        width: 85,
        render: (_, webhook) => <Waiting webhook={webhook} />,
      },
      {
        key: "lastDeliveredAt",
        title: t("webhook.lastDelivered"),
        width: 125,
        render: (_, { lastDeliveredAt }) => formatInstant(lastDeliveredAt) || t("webhook.never"),
      },
    ],
    [t],
  );
  return (
    <ListPage<Webhook>
      title={t("webhook.title")}
      query={query}
      list={list}
      columns={columns}
      fits
      rowKey="id"
      searchLabel={t("webhook.search")}
      filters={
        <ChoiceFilter
          query={query}
          name="active"
          label={t("webhook.state.label")}
          placeholder={t("webhook.anyState")}
          options={[
            { value: "true", label: t("webhook.on") },
            { value: "false", label: t("webhook.off") },
          ]}
        />
      }
      add={{ label: t("webhook.add"), onClick: () => open("new") }}
      emptyTitle={t("webhook.empty")}
      emptyHint={t("webhook.emptyHint")}
      onOpen={({ id }) => open(id)}
      renderCard={(webhook) => (
        <RecordLink id={webhook.id} className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <strong>{webhook.name}</strong>
            <StateChip webhook={webhook} />
          </span>
          <span className="ob-quiet ob-small ob-webhook__url">{webhook.url}</span>
          <StateText webhook={webhook} />
          <span className="ob-quiet">
            {t("webhook.waiting")}: {webhook.waiting} · {t("webhook.lastDelivered")}:{" "}
            {formatInstant(webhook.lastDeliveredAt) || t("webhook.never")}
          </span>
        </RecordLink>
      )}
    >
      {opened === "new" && <WebhookDrawer onClose={close} />}
      {typeof opened === "number" && <OpenWebhook key={opened} id={opened} onClose={close} />}
    </ListPage>
  );
}

function OpenWebhook({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useAnswer("/api/webhooks/{webhook_id}", { path: { webhook_id: id } });
  if (data !== undefined) return <WebhookDrawer webhook={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

function State({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <StateChip webhook={webhook} />
      <StateText webhook={webhook} />
    </>
  );
}

/** Say why the webhook does not send or gave up events. Renders nothing if neither applies. */
function StateText({ webhook }: { webhook: Webhook }) {
  const text = useStateText(webhook);
  return text === "" ? null : <span className="ob-quiet ob-small ob-webhook__why">{text}</span>;
}

function Waiting({ webhook }: { webhook: Webhook }) {
  return (
    <Link to={deliveriesPath(webhook.id)} onClick={(event) => event.stopPropagation()}>
      {webhook.waiting}
    </Link>
  );
}
