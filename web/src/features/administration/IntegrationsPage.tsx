/**
 * List the service accounts that call the API, with the last use and the expiry of their tokens.
 */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceAccount } from "@/contract";
import { formatInstant, lastDay } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useAnswer, useList } from "@/shared/http/data";
import { Chip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { ChoiceFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordLink } from "@/shared/ui/RecordLink";
import { RecordGone } from "@/shared/ui/states";

const ServiceAccountDrawer = lazyPart(() => import("./integrations/ServiceAccountDrawer"));

const EVERY_MINUTE = 60_000;
/** A token that expires within this time is shown as a warning. */
const SOON = 14 * 24 * 60 * EVERY_MINUTE;

export default function IntegrationsPage() {
  const { t } = useTranslation("administration");
  const query = useTableQuery<"active">(["active"]);
  // Show the accounts in use by default; the filter shows the revoked ones.
  const list = useList(
    "/api/service-accounts",
    { query: { active: "true", ...query.server } },
    query,
  );
  const { opened, open, close } = useOpenRecord();
  const now = useNow(EVERY_MINUTE);
  const columns = useMemo<Columns<ServiceAccount>>(
    () => [
      {
        key: "name",
        title: t("service.field.name"),
        sorter: true,
        render: (_, account) => <RecordLink id={account.id}>{account.name}</RecordLink>,
      },
      {
        key: "permissions",
        title: t("service.field.permissions"),
        render: (_, { permissions }) => t("role.chosen", { count: permissions.length }),
      },
      {
        key: "state",
        title: t("service.state.label"),
        render: (_, account) => <TokenState account={account} now={now} />,
      },
      {
        key: "expiresAt",
        title: t("service.field.expiresOn"),
        render: (_, { hasToken, expiresAt }) => (hasToken ? lastDay(expiresAt) : ""),
      },
      {
        key: "lastSeen",
        title: t("service.lastSeen"),
        render: (_, { lastSeen }) => formatInstant(lastSeen) || t("service.never"),
      },
    ],
    [t, now],
  );
  return (
    <ListPage<ServiceAccount>
      title={t("service.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("service.search")}
      filters={
        <ChoiceFilter
          query={query}
          name="active"
          label={t("service.state.label")}
          placeholder={t("service.inUse")}
          options={[{ value: "false", label: t("service.revoked") }]}
        />
      }
      add={{ label: t("service.add"), onClick: () => open("new") }}
      emptyTitle={t("service.empty")}
      emptyHint={t("service.emptyHint")}
      onOpen={({ id }) => open(id)}
      renderCard={(account) => (
        <RecordLink id={account.id} className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <strong>{account.name}</strong>
            <TokenState account={account} now={now} />
          </span>
          <span className="ob-quiet">
            {t("service.lastSeen")}: {formatInstant(account.lastSeen) || t("service.never")}
          </span>
        </RecordLink>
      )}
    >
      {opened === "new" && <ServiceAccountDrawer onClose={close} />}
      {typeof opened === "number" && <OpenAccount key={opened} id={opened} onClose={close} />}
    </ListPage>
  );
}

function OpenAccount({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error } = useAnswer("/api/service-accounts/{account_id}", {
    path: { account_id: id },
  });
  if (data !== undefined) return <ServiceAccountDrawer account={data} onClose={onClose} />;
  return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
}

const TONES = {
  good: "good",
  soon: "warning",
  over: "bad",
  none: "quiet",
  revoked: "quiet",
} as const;

/** Whether the account has a valid token. */
function TokenState({ account, now }: { account: ServiceAccount; now: number }) {
  const { t } = useTranslation("administration");
  const { active, hasToken, expiresAt } = account;
  const left = Date.parse(expiresAt ?? "") - now;
  const good = left > SOON ? "good" : left > 0 ? "soon" : "over";
  const state = !active ? "revoked" : hasToken ? good : "none";
  return <Chip tone={TONES[state]}>{t(`service.state.${state}`)}</Chip>;
}
