/**
 * List the service accounts that call the API, with the last use and the expiry of their tokens.
 */
import { useTranslation } from "react-i18next";
import type { ServiceAccount } from "@/contract";
import { formatInstant, lastDay } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { Chip } from "@/shared/ui/Chip";
import { lazyPart } from "@/shared/ui/lazyPart";
import { RecordLink } from "@/shared/ui/RecordLink";

const ServiceAccountDrawer = lazyPart(() => import("./integrations/ServiceAccountDrawer"));

const EVERY_MINUTE = 60_000;
/** A token that expires within this time is shown as a warning. */
const SOON = 14 * 24 * 60 * EVERY_MINUTE;

const LIST: RecordList<ServiceAccount, "active"> = {
  path: "/api/service-accounts",
  title: "administration:service.title",
  search: "administration:service.search",
  empty: "administration:service.empty",
  columns: ({ link, own, instant }) => [
    link("name", "administration:service.field.name", ({ name }) => name, { sorts: true }),
    own("permissions", "administration:service.field.permissions", (account) => (
      <Permissions account={account} />
    )),
    own("state", "administration:service.state.label", (account) => (
      <TokenState account={account} />
    )),
    own("expiresAt", "administration:service.field.expiresOn", ({ hasToken, expiresAt }) =>
      hasToken ? lastDay(expiresAt) : "",
    ),
    instant("lastSeen", "administration:service.lastSeen", {
      none: "administration:service.never",
    }),
  ],
  card: (account) => <AccountCard account={account} />,
  filterNames: ["active"],
  // The filter shows the revoked accounts.
  unfiltered: { active: "true" },
  filters: [
    {
      choice: "active",
      values: [["false", "administration:service.revoked"]],
      label: "administration:service.state.label",
      any: "administration:service.inUse",
    },
  ],
  add: {
    label: "administration:service.add",
    permission: "ManageIntegrations",
    hint: "administration:service.emptyHint",
    drawer: (close) => <ServiceAccountDrawer onClose={close} />,
  },
  record: {
    path: "/api/service-accounts/{account_id}",
    id: "account_id",
    drawer: (account, close) => <ServiceAccountDrawer account={account} onClose={close} />,
  },
};

export default function IntegrationsPage() {
  return <RecordListPage list={LIST} />;
}

function Permissions({ account }: { account: ServiceAccount }) {
  const { t } = useTranslation("administration");
  return t("role.chosen", { count: account.permissions.length });
}

function AccountCard({ account }: { account: ServiceAccount }) {
  const { t } = useTranslation("administration");
  return (
    <RecordLink id={account.id} className="ob-stack ob-stack--tight ob-card">
      <span className="ob-words ob-apart">
        <strong>{account.name}</strong>
        <TokenState account={account} />
      </span>
      <span className="ob-quiet">
        {t("service.lastSeen")}: {formatInstant(account.lastSeen) || t("service.never")}
      </span>
    </RecordLink>
  );
}

const TONES = {
  good: "good",
  soon: "warning",
  over: "bad",
  none: "quiet",
  revoked: "quiet",
} as const;

/** Whether the account has a valid token. */
function TokenState({ account }: { account: ServiceAccount }) {
  const { t } = useTranslation("administration");
  const now = useNow(EVERY_MINUTE);
  const { active, hasToken, expiresAt } = account;
  const left = Date.parse(expiresAt ?? "") - now;
  const good = left > SOON ? "good" : left > 0 ? "soon" : "over";
  const state = !active ? "revoked" : hasToken ? good : "none";
  return <Chip tone={TONES[state]}>{t(`service.state.${state}`)}</Chip>;
}
