/** The ledger of metal: for each entry its accounts, metal, reason and author. Entries are never changed. */
import { useTranslation } from "react-i18next";
import { Select } from "@/shared/form/Select";
import { formatInstant } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import type { FilteredProps, RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { Grams } from "@/shared/ui/Facts";
import { Balances, useAccountName } from "./accounts";
import {
  ENTRIES,
  ENTRY_FILTERS,
  useAccount,
  useAccountsFound,
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

const LIST: RecordList<Entry, EntryFilter> = {
  path: ENTRIES,
  title: "metal:ledger.title",
  search: "metal:search.entries",
  empty: "metal:ledger.empty",
  drawing: "scale",
  columns: ({ own, text }) => [
    own("at", "metal:column.at", (entry) => <When entry={entry} />, { width: 140 }),
    own("kind", "metal:column.entry", (entry) => <Why entry={entry} />),
    own("from", "metal:column.from", ({ from }) => <AccountName account={from} />),
    own("to", "metal:column.to", ({ to }) => <AccountName account={to} />),
    own("alloy", "metal:column.alloy", (entry) => <Metal entry={entry} />),
    own("grams", "metal:column.grams", (entry) => <Moved entry={entry} />, { align: "right" }),
    own("person", "metal:column.person", ({ personName }) => personName ?? <None />),
    text("byName", "metal:column.by"),
  ],
  card: (entry) => <EntryCard entry={entry} />,
  filterNames: ENTRY_FILTERS,
  filters: [
    { name: "accountId", label: "metal:column.account", Part: AccountFilter },
    {
      choice: "kind",
      values: ENTRY_KINDS.map((kind) => [kind, `metal:entry.${kind}`] as const),
      label: "metal:column.entry",
    },
    { option: "alloyId", catalog: "alloys", label: "metal:column.alloy" },
    { option: "personId", catalog: "users", label: "metal:column.person" },
    { days: true },
  ],
  file: "metal",
  Actions: MetalTabs,
  Above: OneAccount,
  rowClassName: ({ reversed, reversesId }) =>
    reversed || reversesId !== null ? "ob-metal-entry--reversed" : "",
};

export default function LedgerPage() {
  return <RecordListPage list={LIST} />;
}

function EntryCard({ entry }: { entry: Entry }) {
  const { t } = useTranslation("metal");
  const nameOf = useAccountName();
  return (
    <div className="ob-stack ob-stack--tight ob-card">
      <span className="ob-words ob-apart">
        <Why entry={entry} />
        <strong>
          <Moved entry={entry} />
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
  );
}

function None() {
  const { t } = useTranslation("metal");
  return t("none");
}

function AccountName({ account }: { account: AccountReference }) {
  return useAccountName()(account);
}

type Filtered = FilteredProps<EntryFilter, Entry>;

/** Find the account whose ledger is shown in the entries. */
function accountIn({ query, rows = [] }: Filtered): AccountReference | undefined {
  const accountId = Number(query.filters.accountId);
  return rows.flatMap(({ from, to }) => [from, to]).find(({ id }) => id === accountId);
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
function Moved({ entry }: { entry: Entry }) {
  const accountId = Number(useAddress()[0].get("accountId")) || null;
  const sign = accountId === null ? "" : entry.from.id === accountId ? "−" : "+";
  return (
    <span className="ob-nowrap">
      {sign}
      <Grams grams={entry.grams} />
    </span>
  );
}

/** The account whose ledger is shown, and what it holds now. */
function OneAccount(filtered: Filtered) {
  const nameOf = useAccountName();
  const named = accountIn(filtered);
  const account = useAccount(named);
  if (named === undefined) return null;
  return (
    <section className="ob-surface ob-padded ob-row ob-apart" aria-label={nameOf(named)}>
      <h2>{nameOf(named)}</h2>
      {account !== undefined && <Balances balances={account.balances} />}
    </section>
  );
}

function AccountFilter(filtered: Filtered) {
  const { query } = filtered;
  const { t } = useTranslation("metal");
  const nameOf = useAccountName();
  const found = useAccountsFound();
  const named = accountIn(filtered);
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
