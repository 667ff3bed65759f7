/** List the payments with their totals and details, and cancel them. */
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { formatMoney } from "@/shared/format/numbers";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { PAYMENT, PAYMENTS } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { ListSum, Money } from "@/shared/ui/Facts";
import { PaymentDrawer } from "./paid/PaymentDrawer";
import { Pieces, PaymentStatus, piecesOf, wordsOf } from "./paid/parts";
import { PAYMENT_FILTERS, usePaymentTotals, type PaymentFilter } from "./piecework.api";
import "./piecework.css";

const LIST: RecordList<Payment, PaymentFilter> = {
  path: PAYMENTS,
  title: "piecework:paid.title",
  search: "piecework:paid.search",
  empty: "piecework:paid.empty",
  drawing: "scale",
  columns: ({ link, text, name, own, money }) => [
    link("id", "piecework:column.number", ({ id }) => `#${id}`, { sorts: true }),
    text("date", "piecework:column.date", { sorts: true }),
    name("username", "piecework:column.payee", { none: "piecework:none" }),
    own("pieces", "piecework:column.pieces", (payment) => <Pieces of={payment} />, {
      align: "right",
    }),
    money("total", "piecework:column.total", { sorts: true }),
    own("status", "piecework:column.status", ({ status }) => <PaymentStatus status={status} />, {
      sorts: true,
    }),
    own("notes", "piecework:column.notes", (payment) => (
      <span className="ob-cell-name">{wordsOf(payment)}</span>
    )),
    name("createdBy", "piecework:column.madeBy"),
  ],
  card: (payment) => <PaymentCard payment={payment} />,
  filterNames: PAYMENT_FILTERS,
  filters: [
    {
      choice: "status",
      values: [
        ["Paid", "piecework:status.Paid"],
        ["Canceled", "piecework:status.Canceled"],
      ],
      label: "piecework:filter.status",
    },
    { option: "userId", catalog: "users", label: "piecework:paid.payee" },
    { option: "customerId", catalog: "customers", label: "piecework:filter.customer" },
    { days: true },
  ],
  record: {
    path: PAYMENT,
    id: "payment_id",
    drawer: (payment, close) => <PaymentDrawer payment={payment} onClose={close} />,
  },
  file: "paid-orders",
  Above: Totals,
  rowClassName: ({ status }) => (status === "Canceled" ? "ob-payment--canceled" : ""),
};

export default function PaidOrdersPage() {
  return <RecordListPage list={LIST} />;
}

/** Totals of all payments that match, shown or not. */
function Totals({ query }: { query: TableQuery<PaymentFilter> }) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  const { data } = usePaymentTotals(query);
  if (data === undefined) return null;
  return (
    <ListSum
      label={t("paid.total")}
      sum={formatMoney(data.total, data.currency, language)}
      note={
        <>
          {t("paid.payments", { count: data.payments })}
          {data.canceled > 0 && ` · ${t("paid.canceled", { count: data.canceled })}`}
        </>
      }
    />
  );
}

function PaymentCard({ payment }: { payment: Payment }) {
  const { open } = useOpenRecord();
  const { t } = useTranslation("piecework");
  return (
    <button
      type="button"
      className="ob-stack ob-stack--tight ob-card"
      onClick={() => open(payment.id)}
    >
      <span className="ob-words ob-apart">
        <strong>{payment.username ?? `#${payment.id}`}</strong>
        <Money amount={payment.total} currency={payment.currency} />
      </span>
      <span className="ob-words ob-apart">
        <span className="ob-quiet">
          {payment.date} · {t("pieces", { count: piecesOf(payment) })}
        </span>
        <PaymentStatus status={payment.status} />
      </span>
      {wordsOf(payment) !== "" && <span className="ob-breaks">{wordsOf(payment)}</span>}
    </button>
  );
}
