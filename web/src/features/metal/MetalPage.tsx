/** Where the metal is: what each account holds, and the sums of each kind. Follows every entry. */
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { useMay } from "@/shared/session/session";
import type { Columns } from "@/shared/ui/DataTable";
import { Grams } from "@/shared/ui/Facts";
import { ChoiceFilter, OptionFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { Balances, KINDS, useAccountName } from "./accounts";
import {
  ACCOUNT_FILTERS,
  useAccounts,
  useTotals,
  type Account,
  type AccountFilter,
} from "./metal.api";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import { ledgerPath, TO_SIGN } from "@/entities/metal/paths";
import "./metal.css";

const ReceiptDrawer = lazyPart(() => import("./ReceiptDrawer"));
const TransferDrawer = lazyPart(() => import("./TransferDrawer"));
const MeltDrawer = lazyPart(() => import("./MeltDrawer"));

/** The open form. An account means a transfer from this account. */
type Opened = "receipt" | "transfer" | "melt" | Account | null;

export default function MetalPage() {
  const { t } = useTranslation("metal");
  const query = useTableQuery(ACCOUNT_FILTERS);
  const list = useAccounts(query);
  const navigate = useNavigate();
  const nameOf = useAccountName();
  const mayManage = useMay("ManageMetal");
  const mayList = useMay("ListOrders");
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const more = useRef<HTMLButtonElement>(null);
  function openFromMenu(what: Opened) {
    // The drawer returns the focus to where it was, and the menu is gone by then.
    more.current?.focus();
    setOpened(what);
  }
  const columns = useMemo<Columns<Account>>(
    () => [
      {
        key: "account",
        title: t("column.account"),
        render: (_, account) => (
          <Link
            className="ob-record-link ob-breaks"
            to={ledgerPath(account.id)}
            onClick={(event) => event.stopPropagation()}
          >
            {nameOf(account)}
          </Link>
        ),
      },
      { key: "kind", title: t("column.kind"), render: (_, { kind }) => t(`kind.${kind}`) },
      {
        key: "balances",
        title: t("column.metal"),
        render: (_, { balances }) => <Balances balances={balances} />,
      },
      ...(mayManage
        ? [
            {
              key: "transfer",
              title: t("column.actions"),
              render: (_: unknown, account: Account) => (
                <TransferButton account={account} onTransfer={setOpened} />
              ),
            },
          ]
        : []),
    ],
    [t, nameOf, mayManage],
  );
  return (
    <ListPage<Account>
      title={t("title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={t("search.accounts")}
      filters={<AccountFilters query={query} />}
      actions={
        <>
          {mayManage && (
            <>
              <Button type="primary" onClick={() => setOpened("receipt")}>
                {t("receipt.open")}
              </Button>
              <Button onClick={() => setOpened("transfer")}>{t("transfer.open")}</Button>
              <Dropdown
                trigger={["click"]}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keys then move in the menu that was opened
                autoFocus
                menu={{
                  items: [
                    { key: "melt", label: t("melt.open"), onClick: () => openFromMenu("melt") },
                    ...(mayList
                      ? [
                          {
                            key: "sign",
                            label: t("toSign"),
                            onClick: () => void navigate(TO_SIGN),
                          },
                        ]
                      : []),
                  ],
                }}
              >
                <Button ref={more} aria-haspopup="menu">
                  {t("more")}
                </Button>
              </Dropdown>
            </>
          )}
          <MetalTabs />
        </>
      }
      above={<Totals query={query} />}
      emptyTitle={t("empty.accounts")}
      emptyHint={t("empty.accountsHint")}
      emptyDrawing="scale"
      onOpen={({ id }) => void navigate(ledgerPath(id))}
      renderCard={(account) => (
        <div className="ob-stack ob-stack--tight ob-card">
          <span className="ob-words ob-apart">
            <Link className="ob-record-link ob-breaks" to={ledgerPath(account.id)}>
              {nameOf(account)}
            </Link>
            <span className="ob-quiet">{t(`kind.${account.kind}`)}</span>
          </span>
          <Balances balances={account.balances} />
          {mayManage && <TransferButton account={account} onTransfer={setOpened} />}
        </div>
      )}
    >
      {opened === "receipt" && <ReceiptDrawer onClose={close} />}
      {opened === "melt" && <MeltDrawer onClose={close} />}
      {opened === "transfer" && <TransferDrawer onClose={close} />}
      {opened !== null && typeof opened === "object" && (
        <TransferDrawer account={opened} onClose={close} />
      )}
    </ListPage>
  );
}

function AccountFilters({ query }: { query: TableQuery<AccountFilter> }) {
  const { t } = useTranslation("metal");
  return (
    <>
      <ChoiceFilter
        query={query}
        name="kind"
        label={t("column.kind")}
        options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <OptionFilter query={query} name="userId" catalog="users" label={t("column.person")} />
      <OptionFilter
        query={query}
        name="productionProcessId"
        catalog="production-processes"
        label={t("column.process")}
      />
    </>
  );
}

/**
 * Button that starts a transfer out of an account. Only `MOVABLE` kinds have it: a line's metal
 * moves with its pieces.
 */
function TransferButton(props: { account: Account; onTransfer: (account: Account) => void }) {
  const { t } = useTranslation("metal");
  const { account, onTransfer } = props;
  const nameOf = useAccountName();
  if (account.balances.length === 0 || !MOVABLE.includes(account.kind)) return null;
  return (
    <Button
      size="small"
      aria-label={t("transfer.of", { name: nameOf(account) })}
      onClick={(event) => {
        event.stopPropagation();
        onTransfer(account);
      }}
    >
      {t("transfer.short")}
    </Button>
  );
}

const MOVABLE: readonly Account["kind"][] = [
  "vault",
  "person",
  "outside",
  "scrap",
  "dust",
  "bath",
  "finished",
];

/** The sums of each kind of account. A click shows its accounts. */
function Totals({ query }: { query: TableQuery<AccountFilter> }) {
  const { t } = useTranslation("metal");
  const { data = [] } = useTotals();
  const shown = KINDS.flatMap((kind) => data.find((total) => total.kind === kind) ?? []);
  if (shown.length === 0) return null;
  return (
    <ul className="ob-metal-totals" aria-label={t("totals")}>
      {shown.map(({ kind, fineGrams, balances }) => {
        const chosen = query.filters.kind === kind;
        return (
          <li key={kind}>
            <button
              type="button"
              className="ob-surface ob-stack ob-stack--tight ob-metal-total"
              aria-pressed={chosen}
              onClick={() => query.set({ kind: chosen ? "" : kind })}
            >
              <span className="ob-strong">{t(`kind.${kind}`)}</span>
              <span className="ob-words ob-apart">
                <span className="ob-quiet ob-small">{t("fine")}</span>
                <strong className="ob-large">
                  <Grams grams={fineGrams} />
                </strong>
              </span>
              {balances.map(({ alloyId, alloyName, grams }) => (
                <span key={alloyId} className="ob-words ob-apart ob-small">
                  <span className="ob-quiet ob-breaks">{alloyName}</span>
                  <Grams grams={grams} />
                </span>
              ))}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
