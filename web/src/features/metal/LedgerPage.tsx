/** The ledger of metal: for each entry its accounts, metal, reason and author. Entries are never changed. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Select } from "@/shared/form/Select";
import { formatInstant } from "@/shared/format/plant";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import type { Columns } from "@/shared/ui/DataTable";
import { Grams } from "@/shared/ui/Facts";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/form/filters";
import { ListPage } from "@/shared/ui/ListPage";
import { Balances, useAccountName } from "./accounts";
import {
  ENTRY_FILTERS,
  exportEntries,
  useAccount,
  useAccountsFound,
  useEntries,
  type AccountReference,
  type Entry,
  type EntryFilter,
} from "./metal.api";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import "./metal.css";

const ENTRY_KINDS: readonly Entry["kind"][] = [
  "receive",
  "issue",
  "in",
  "out",
  "added",
  "scrap",
  "reweigh",
  "close",
  "dust",
  "lost",
  "refine",
  "melt",
  "adjust",
  "finish",
  "ship",
  "return",
  "reversal",
];

export default function LedgerPage() {
  const { t } = useTranslation("metal");
  const query = useTableQuery(ENTRY_FILTERS);
  const list = useEntries(query);
  const nameOf = useAccountName();
  const accountId = Number(query.filters.accountId) || null;
  const named = accountIn(accountId, list.rows);
  const columns = useMemo<Columns<Entry>>(
    () => [
      {
        key: "at",
        title: t("column.at"),
        width: 140,
        render: (_, entry) => <When entry={entry} />,
      },
      { key: "kind", title: t("column.entry"), render: (_, entry) => <Why entry={entry} /> },
      { key: "from", title: t("column.from"), render: (_, entry) => nameOf(entry.from) },
      { key: "to", title: t("column.to"), render: (_, entry) => nameOf(entry.to) },
      { key: "alloy", title: t("column.alloy"), render: (_, entry) => <Metal entry={entry} /> },
      {
        key: "grams",
        title: t("column.grams"),
        align: "right",
        render: (_, entry) => <Moved entry={entry} accountId={accountId} />,
      },
      {
        key: "person",
        title: t("column.person"),
        render: (_, { personName }) => personName ?? t("none"),
      },
      { key: "by", title: t("column.by"), dataIndex: "byName" },
    ],
    [t, nameOf, accountId],
  );
  return (
    <ListPage<Entry>
      title={t("ledger.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={t("search.entries")}
      filters={<EntryFilters query={query} named={named} />}
      actions={<MetalTabs />}
      file={{ name: "metal", ask: (format) => exportEntries(query, format) }}
      above={named !== undefined && <OneAccount named={named} />}
      emptyTitle={t("ledger.empty")}
      emptyDrawing="scale"
      rowClassName={({ reversed, reversesId }) =>
        reversed || reversesId !== null ? "ob-metal-entry--reversed" : ""
      }
      renderCard={(entry) => (
        <div className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <Why entry={entry} />
            <strong>
              <Moved entry={entry} accountId={accountId} />
            </strong>
          </span>
          <span className="ob-breaks">
            {t("ledger.moved", { from: nameOf(entry.from), to: nameOf(entry.to) })}
          </span>
          <span className="ob-words ob-apart ob-quiet">
            <Metal entry={entry} />
            <span>
              <When entry={entry} /> · {entry.byName}
            </span>
          </span>
        </div>
      )}
    />
  );
}

/** Find the account with this id in the entries. */
function accountIn(id: number | null, entries: Entry[] = []): AccountReference | undefined {
  return entries.flatMap(({ from, to }) => [from, to]).find((account) => account.id === id);
}

function When({ entry: { at, madeAt } }: { entry: Entry }) {
  const { t } = useTranslation("metal");
  return (
    <>
      <time dateTime={at}>{formatInstant(at)}</time>
      {madeAt !== null && (
        <span className="ob-quiet ob-small ob-metal-aside">
          {t("ledger.madeAt", { at: formatInstant(madeAt) })}
        </span>
      )}
    </>
  );
}

/** The alloy, and the lot that the vault gave. */
function Metal({ entry: { alloyName, lotName } }: { entry: Entry }) {
  const { t } = useTranslation("metal");
  return (
    <span>
      {alloyName}
      {lotName !== null && (
        <span className="ob-quiet ob-small ob-breaks ob-metal-aside">
          {t("ledger.lot", { name: lotName })}
        </span>
      )}
    </span>
  );
}

/** Why the metal moved, and whether it was taken back. */
function Why({ entry: { kind, reason, notes, reversed } }: { entry: Entry }) {
  const { t } = useTranslation("metal");
  return (
    <span>
      {t(`entry.${kind}`)}
      {reversed && <span className="ob-quiet"> · {t("ledger.reversed")}</span>}
      {[reason, notes]
        .filter((text) => text !== "")
        .map((text) => (
          <span key={text} className="ob-quiet ob-small ob-breaks ob-metal-aside">
            {text}
          </span>
        ))}
    </span>
  );
}

/** The grams. In the ledger of one account they have a sign. */
function Moved({ entry, accountId }: { entry: Entry; accountId: number | null }) {
  const sign = accountId === null ? "" : entry.from.id === accountId ? "−" : "+";
  return (
    <span className="ob-nowrap">
      {sign}
      <Grams grams={entry.grams} />
    </span>
  );
}

/** The account whose ledger is shown, and what it holds now. */
function OneAccount({ named }: { named: AccountReference }) {
  const nameOf = useAccountName();
  const account = useAccount(named);
  return (
    <section className="ob-surface ob-padded ob-row ob-apart" aria-label={nameOf(named)}>
      <h2>{nameOf(named)}</h2>
      {account !== undefined && <Balances balances={account.balances} />}
    </section>
  );
}

interface FilterProps {
  query: TableQuery<EntryFilter>;
  /** The account whose ledger is shown. */
  named: AccountReference | undefined;
}

/** Filters of the ledger. All of them are kept in the page's address. */
function EntryFilters({ query, named }: FilterProps) {
  const { t } = useTranslation("metal");
  return (
    <>
      <AccountFilter query={query} named={named} />
      <ChoiceFilter
        query={query}
        name="kind"
        label={t("column.entry")}
        options={ENTRY_KINDS.map((value) => ({ value, label: t(`entry.${value}`) }))}
      />
      <OptionFilter query={query} name="alloyId" catalog="alloys" label={t("column.alloy")} />
      <OptionFilter query={query} name="personId" catalog="users" label={t("column.person")} />
      <DaysFilter query={query} />
    </>
  );
}

function AccountFilter({ query, named }: FilterProps) {
  const { t } = useTranslation("metal");
  const nameOf = useAccountName();
  const found = useAccountsFound();
  const { accountId } = query.filters;
  const isFound = named === undefined || found.some(({ id }) => id === named.id);
  const accounts: AccountReference[] = isFound ? found : [named, ...found];
  return (
    <Select<string | null | undefined>
      className="ob-filter"
      allowClear
      showSearch
      aria-label={t("column.account")}
      placeholder={t("column.account")}
      value={accountId ?? null}
      options={accounts.map((account) => ({ value: String(account.id), label: nameOf(account) }))}
      onChange={(id) => query.set({ accountId: id ?? "" })}
    />
  );
}
