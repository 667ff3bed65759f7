/** List the webhooks with their account, events, state and number of waiting deliveries. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Webhook } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import { RecordLink } from "@/shared/ui/RecordLink";
import { deliveriesPath, EventNames, StateChip, useRenewed, useStateText } from "./webhooks/parts";
import "./administration.css";

const WebhookDrawer = lazyPart(() => import("./webhooks/WebhookDrawer"));

const LIST: RecordList<Webhook, "active"> = {
  path: "/api/webhooks",
  title: "administration:webhook.title",
  search: "administration:webhook.search",
  empty: "administration:webhook.empty",
  columns: ({ own, text, instant }) => [
    own("name", "administration:webhook.field.name", (webhook) => <Name webhook={webhook} />, {
      width: 230,
      sorts: true,
    }),
    text("accountName", "administration:webhook.field.accountId", { width: 130 }),
    own(
      "types",
      "administration:webhook.field.types",
      ({ types }) => <EventNames types={types} />,
      { width: 150 },
    ),
    own("active", "administration:webhook.state.label", (webhook) => <State webhook={webhook} />, {
      width: 250,
      sorts: true,
    }),
    own("waiting", "administration:webhook.waiting", (webhook) => <Waiting webhook={webhook} />, {
      width: 85,
    }),
    instant("lastDeliveredAt", "administration:webhook.lastDelivered", {
      width: 125,
      none: "administration:webhook.never",
    }),
  ],
  card: (webhook) => <WebhookCard webhook={webhook} />,
  fits: true,
  filterNames: ["active"],
  filters: [
    {
      choice: "active",
      values: [
        ["true", "administration:webhook.on"],
        ["false", "administration:webhook.off"],
      ],
      label: "administration:webhook.state.label",
      any: "administration:webhook.anyState",
    },
  ],
  add: {
    label: "administration:webhook.add",
    permission: "ManageIntegrations",
    hint: "administration:webhook.emptyHint",
    drawer: (close) => <WebhookDrawer onClose={close} />,
  },
  record: {
    path: "/api/webhooks/{webhook_id}",
    id: "webhook_id",
    drawer: (webhook, close) => <WebhookDrawer webhook={webhook} onClose={close} />,
  },
};

export default function WebhooksPage() {
  useRenewed();
  return <RecordListPage list={LIST} />;
}

function Name({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <RecordLink id={webhook.id}>{webhook.name}</RecordLink>
      <span className="ob-quiet ob-small ob-webhook__url">{webhook.url}</span>
    </>
  );
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("administration");
  return (
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
  );
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
