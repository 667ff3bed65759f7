/** List the deliveries of one webhook with their last attempt, and send them again. */
import ReloadOutlined from "@ant-design/icons/es/icons/ReloadOutlined";
import Button from "antd/es/button";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import type { Webhook, WebhookDelivery } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { api, call } from "@/shared/http/client";
import { useAnswer, useAnswers, useList } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { useHoldsAll } from "@/shared/session/session";
import { Chip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { toastError } from "@/shared/ui/errors";
import { ChoiceFilter } from "@/shared/form/filters";
import { ListPage } from "@/shared/ui/ListPage";
import { BackLink } from "@/shared/ui/PageTitle";
import { PageState } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { StateChip, useEventName, useRenewed, useStateText, WEBHOOKS_PAGE } from "./webhooks/parts";
import { ReplayDialog } from "./webhooks/ReplayDialog";
import { deliveryState, reasonOf } from "./webhooks/states";
import "./administration.css";

export default function WebhookDeliveriesPage() {
  const id = Number(useParams()["id"]);
  const { data, error, mutate } = useAnswer("/api/webhooks/{webhook_id}", {
    path: { webhook_id: id },
  });
  if (data === undefined) return <PageState error={error} onRetry={() => void mutate()} />;
  return <Deliveries webhook={data} />;
}

const TONES = { delivered: "good", failed: "bad", waiting: "quiet" } as const;

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(["administration", "shared"]);
  const query = useTableQuery<"delivered">(["delivered"]);
  const path = { webhook_id: webhook.id };
  const list = useList(
    "/api/webhooks/{webhook_id}/deliveries",
    { path, query: query.server },
    query,
  );
  const { reload } = useAnswers();
  const nameOf = useEventName();
  const why = useStateText(webhook);
  const above = useIsAbove(webhook);
  const [asked, setAsked] = useState(false);
  useRenewed();
  const columns = useMemo<Columns<WebhookDelivery>>(
    () => [
      {
        key: "type",
        title: t("webhook.delivery.type"),
        width: 215,
        render: (_, { type, messageId }) => (
          <>
            {nameOf(type)}
            <span className="ob-quiet ob-small ob-permissions__action">{messageId}</span>
          </>
        ),
      },
      {
        key: "state",
        title: t("webhook.state.label"),
        width: 115,
        render: (_, row) => {
          const state = deliveryState(row);
          return (
            <>
              <Chip tone={TONES[state]}>{t(`webhook.delivery.${state}`)}</Chip>
              {row.replayed && <span className="ob-quiet"> {t("webhook.delivery.replayed")}</span>}
            </>
          );
        },
      },
      {
        key: "answer",
        title: t("webhook.delivery.answer"),
        width: 230,
        render: (_, row) => (row.triedAt === null ? null : <LastAnswer row={row} />),
      },
      {
        key: "attempts",
        title: t("webhook.delivery.attempts"),
        width: 85,
        dataIndex: "attempts",
      },
      {
        key: "triedAt",
        title: t("webhook.delivery.triedAt"),
        width: 125,
        render: (_, row) => (row.triedAt === null ? null : <Tried row={row} webhook={webhook} />),
      },
      {
        key: "id",
        title: t("webhook.delivery.createdAt"),
        width: 110,
        sorter: true,
        render: (_, { createdAt }) => formatInstant(createdAt),
      },
      {
        key: "again",
        title: t("webhook.delivery.again"),
        width: 95,
        render: (_, row) => <Again row={row} webhook={webhook} above={above} />,
      },
    ],
    [t, nameOf, webhook, above],
  );
  return (
    <ListPage<WebhookDelivery>
      title={t("webhook.deliveriesOf", { name: webhook.name })}
      query={query}
      list={list}
      columns={columns}
      fits
      rowKey="id"
      searchLabel={t("webhook.delivery.search")}
      filters={
        <ChoiceFilter
          query={query}
          name="delivered"
          label={t("webhook.state.label")}
          placeholder={t("webhook.anyState")}
          options={[
            { value: "true", label: t("webhook.delivery.delivered") },
            { value: "false", label: t("webhook.delivery.notDelivered") },
          ]}
        />
      }
      actions={
        <>
          <Button
            icon={<ReloadOutlined aria-hidden />}
            onClick={() => void reload(under(RESOURCES.webhooks))}
          >
            {t("webhook.refresh")}
          </Button>
          <Button disabled={above} onClick={() => setAsked(true)}>
            {t("webhook.replay.open")}
          </Button>
        </>
      }
      above={
        <div className="ob-stack">
          <BackLink to={WEBHOOKS_PAGE}>{t("webhook.title")}</BackLink>
          <p>
            <StateChip webhook={webhook} /> {why}
          </p>
          {above && <p>{t("webhook.above")}</p>}
        </div>
      }
      emptyTitle={t("webhook.delivery.empty")}
      emptyHint={t("webhook.delivery.emptyHint")}
    >
      {asked && <ReplayDialog webhook={webhook} onClose={() => setAsked(false)} />}
    </ListPage>
  );
}

/**
 * Whether the webhook's account has permissions that the user lacks. The user may then send nothing
 * again. False while loading.
 */
function useIsAbove(webhook: Webhook): boolean {
  const holdsAll = useHoldsAll();
  const { data: account } = useAnswer("/api/service-accounts/{account_id}", {
    path: { account_id: webhook.accountId },
  });
  return account !== undefined && !holdsAll(account.permissions);
}

/** The HTTP status of the last attempt and, if it failed, the reason and the receiver's answer. */
function LastAnswer({ row }: { row: WebhookDelivery }) {
  const { t } = useTranslation("administration");
  const reason = reasonOf(row);
  return (
    <div className="ob-webhook__answer">
      {row.status !== null && <span>{t("webhook.delivery.http", { status: row.status })}</span>}
      {reason !== undefined && <span>{t(`webhook.reason.${reason}`)}</span>}
      {reason !== undefined && row.answer !== "" && (
        <code className="ob-quiet ob-small ob-breaks">{row.answer}</code>
      )}
    </div>
  );
}

/** The time of the last attempt and, if it failed, of the next one. */
function Tried({ row, webhook }: { row: WebhookDelivery; webhook: Webhook }) {
  const { t } = useTranslation("administration");
  const next = deliveryState(row) === "failed" && webhook.active ? webhook.nextAt : null;
  return (
    <>
      {formatInstant(row.triedAt)}
      {next !== null && (
        <span className="ob-quiet ob-small ob-permissions__action">
          {t("webhook.delivery.next", { at: formatInstant(next) })}
        </span>
      )}
    </>
  );
}

/** Button that sends a delivered message again. Undelivered messages are retried automatically. */
function Again(props: { row: WebhookDelivery; webhook: Webhook; above: boolean }) {
  const { row, webhook, above } = props;
  const { t } = useTranslation("administration");
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit((headers) =>
    call(
      api.POST("/api/webhooks/{webhook_id}/replay", {
        params: { path: { webhook_id: webhook.id } },
        body: { deliveryId: row.id },
        headers,
      }),
    ),
  );
  if (row.deliveredAt === null) {
    return <span className="ob-quiet">{t("webhook.delivery.byItself")}</span>;
  }

  async function again() {
    try {
      if ((await submit()) === undefined) return;
      toast.success(t("webhook.replay.one", { id: row.messageId }));
    } catch (reason) {
      toastError(reason);
    }
    void reload(under(RESOURCES.webhooks));
  }

  return (
    <Button
      size="small"
      loading={busy}
      disabled={above}
      aria-label={t("webhook.delivery.againOf", { id: row.messageId })}
      onClick={() => void again()}
    >
      {t("webhook.delivery.again")}
    </Button>
  );
}
