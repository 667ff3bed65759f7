/** List bills and pre-bills; filter them by status and export them. */
import Segmented from "antd/es/segmented";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { Delivery } from "@/contract";
import { formatMoney } from "@/shared/format/numbers";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { StatusChip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { ListSum, Money } from "@/shared/ui/Facts";
import { DaysFilter, OptionFilter } from "@/shared/form/filters";
import { ListPage } from "@/shared/ui/ListPage";
import { BILL_FILTERS, exportBills, useBills, useBillTotals, type BillFilter } from "./billing.api";
import { useBillName } from "./BillParts";
import { billPath, NEW_BILL } from "./paths";
import "./billing.css";

const STATUSES = ["PreBill", "Billed", "Canceled"] as const satisfies Delivery["status"][];

export default function BillsPage() {
  const { t } = useTranslation(["billing", "shared"]);
  const navigate = useNavigate();
  const mayCreate = useMay("CreateDelivery");
  const query = useTableQuery(BILL_FILTERS);
  const list = useBills(query);
  const columns = useBillColumns();

  return (
    <ListPage<Delivery>
      title={t("list.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("list.search")}
      filters={<BillFilters query={query} />}
      file={{ name: "bills", ask: (format) => exportBills(query, format) }}
      add={mayCreate ? { label: t("list.new"), onClick: () => void navigate(NEW_BILL) } : undefined}
      above={
        <>
          <Segmented
            className="ob-bill-statuses"
            aria-label={t("field.status")}
            value={query.filters.status ?? ""}
            options={[
              { value: "", label: t("list.all") },
              ...STATUSES.map((value) => ({ value, label: t(`list.${value}`) })),
            ]}
            onChange={(status) => query.set({ status })}
          />
          <BillSums query={query} />
        </>
      }
      emptyTitle={t("list.empty")}
      emptyDrawing="sheet"
      emptyHint={mayCreate ? t("list.emptyHint") : undefined}
      onOpen={({ id }) => void navigate(billPath(id))}
      rowClassName={({ status }) => (status === "Canceled" ? "ob-bills__canceled" : "")}
      renderCard={(bill) => <BillCard bill={bill} />}
    />
  );
}

function BillCard({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const nameOf = useBillName();
  return (
    <Link className="ob-stack ob-stack--tight ob-card" to={billPath(bill.id)}>
      <span className="ob-words ob-apart">
        <strong>{nameOf(bill)}</strong>
        <StatusChip status={bill.status} />
      </span>
      <span>{bill.customerName}</span>
      <span className="ob-words ob-apart">
        <span className="ob-quiet">
          {bill.date}
          {bill.guideNumber !== "" && ` · ${t("list.guide", { guide: bill.guideNumber })}`}
        </span>
        <Money amount={bill.total} currency={bill.currency} />
      </span>
    </Link>
  );
}

/** Filters beside the status. All of them are kept in the page's address. */
function BillFilters({ query }: { query: TableQuery<BillFilter> }) {
  const { t } = useTranslation("billing");
  return (
    <>
      <OptionFilter
        query={query}
        name="customerId"
        catalog="customers"
        label={t("field.customer")}
        placeholder={t("list.anyCustomer")}
      />
      <OptionFilter
        query={query}
        name="companyId"
        catalog="companies"
        label={t("field.company")}
        placeholder={t("list.anyCompany")}
      />
      <DaysFilter query={query} />
    </>
  );
}

/** Sums of all bills in the list, by currency. */
function BillSums({ query }: { query: TableQuery<BillFilter> }) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  const { data, error } = useBillTotals(query);
  if (data === undefined) return error === undefined && <p className="ob-bills__sums" />;
  return data.map((sums) => (
    <ListSum
      key={sums.currency}
      label={t("sums.billed")}
      sum={formatMoney(sums.total, sums.currency, language)}
      note={[
        t("sums.bills", { count: sums.bills }),
        sums.preBills > 0 &&
          t("sums.preBills", {
            count: sums.preBills,
            sum: formatMoney(sums.preBilled, sums.currency, language),
          }),
        sums.canceled > 0 && t("sums.canceled", { count: sums.canceled }),
      ]
        .filter(Boolean)
        .join(" · ")}
    />
  ));
}

/** Columns of the list. A column's key is the field the server sorts by. */
function useBillColumns(): Columns<Delivery> {
  const { t } = useTranslation("billing");
  return useMemo(
    () => [
      {
        key: "id",
        title: t("column.bill"),
        sorter: true,
        render: (_, bill) => <BillLink bill={bill} />,
      },
      { key: "date", title: t("field.date"), sorter: true, dataIndex: "date" },
      {
        key: "customerName",
        title: t("field.customer"),
        sorter: true,
        render: (_, { customerName }) => (
          <span className="ob-cell-name ob-cell-name--wide">{customerName}</span>
        ),
      },
      {
        key: "company",
        title: t("field.company"),
        render: (_, { companyName }) => (
          <span className="ob-cell-name ob-cell-name--wide">{companyName}</span>
        ),
      },
      {
        key: "invoice",
        title: t("field.invoiceNumber"),
        render: (_, { invoiceNumber }) => (
          <span className="ob-cell-name">{invoiceNumber || t("none")}</span>
        ),
      },
      {
        key: "guide",
        title: t("field.guideNumber"),
        render: (_, { guideNumber }) => (
          <span className="ob-cell-name">{guideNumber || t("none")}</span>
        ),
      },
      {
        key: "status",
        title: t("field.status"),
        sorter: true,
        render: (_, { status }) => <StatusChip status={status} />,
      },
      {
        key: "total",
        title: t("totals.total"),
        sorter: true,
        align: "right",
        render: (_, { total, currency }) => <Money amount={total} currency={currency} />,
      },
    ],
    [t],
  );
}

function BillLink({ bill }: { bill: Delivery }) {
  const nameOf = useBillName();
  return (
    <Link
      className="ob-record-link"
      to={billPath(bill.id)}
      onClick={(event) => event.stopPropagation()}
    >
      {nameOf(bill)}
    </Link>
  );
}
