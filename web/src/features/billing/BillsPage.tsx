/** List bills and pre-bills; filter them by status and export them. */
import Segmented from "antd/es/segmented";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Delivery } from "@/contract";
import { formatMoney } from "@/shared/format/numbers";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { StatusChip } from "@/shared/ui/Chip";
import { ListSum, Money } from "@/shared/ui/Facts";
import { BILL_FILTERS, useBillTotals, type BillFilter } from "./billing.api";
import { useBillName } from "./BillParts";
import { billPath, NEW_BILL } from "./paths";
import "./billing.css";

const STATUSES = ["PreBill", "Billed", "Canceled"] as const satisfies Delivery["status"][];

const BILLS: RecordList<Delivery, BillFilter> = {
  title: "billing:list.title",
  search: "billing:list.search",
  empty: "billing:list.empty",
  drawing: "sheet",
  path: "/api/deliveries/search",
  columns: ({ link, text, name, own, money }) => [
    link("id", "billing:column.bill", (bill) => <BillName bill={bill} />, { sorts: true }),
    text("date", "billing:field.date", { sorts: true }),
    name("customerName", "billing:field.customer", { wide: true, sorts: true }),
    name("companyName", "billing:field.company", { wide: true }),
    name("invoiceNumber", "billing:field.invoiceNumber", { none: "billing:none" }),
    name("guideNumber", "billing:field.guideNumber", { none: "billing:none" }),
    own("status", "billing:field.status", ({ status }) => <StatusChip status={status} />, {
      sorts: true,
    }),
    money("total", "billing:totals.total", { sorts: true }),
  ],
  card: (bill) => <BillCard bill={bill} />,
  filterNames: BILL_FILTERS,
  filters: [
    {
      option: "customerId",
      catalog: "customers",
      label: "billing:field.customer",
      any: "billing:list.anyCustomer",
    },
    {
      option: "companyId",
      catalog: "companies",
      label: "billing:field.company",
      any: "billing:list.anyCompany",
    },
    { days: true },
  ],
  add: {
    label: "billing:list.new",
    permission: "CreateDelivery",
    hint: "billing:list.emptyHint",
    path: NEW_BILL,
  },
  pathOf: ({ id }) => billPath(id),
  file: "bills",
  Above: StatusesAndSums,
  rowClassName: ({ status }) => (status === "Canceled" ? "ob-bills__canceled" : ""),
};

export default function BillsPage() {
  return <RecordListPage list={BILLS} />;
}

function BillName({ bill }: { bill: Delivery }) {
  return useBillName()(bill);
}

function BillCard({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  return (
    <Link className="ob-stack ob-stack--tight ob-card" to={billPath(bill.id)}>
      <span className="ob-words ob-apart">
        <strong>
          <BillName bill={bill} />
        </strong>
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

interface QueryProps {
  query: TableQuery<BillFilter>;
}

function StatusesAndSums({ query }: QueryProps) {
  const { t } = useTranslation("billing");
  return (
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
  );
}

/** Sums of all bills in the list, by currency. */
function BillSums({ query }: QueryProps) {
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
