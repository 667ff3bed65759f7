/** List the payments with their totals and details, and cancel them. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { formatMoney } from "@/shared/format/numbers";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { ListSum, Money } from "@/shared/ui/Facts";
import { ChoiceFilter } from "@/shared/form/filters";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordGone } from "@/shared/ui/states";
import { PeriodAndPeople } from "./Filters";
import { paymentColumns, PaymentStatus, piecesOf, wordsOf } from "./paid/columns";
import { PaymentDrawer } from "./paid/PaymentDrawer";
import {
  exportPayments,
  PAYMENT_FILTERS,
  usePayment,
  usePayments,
  usePaymentTotals,
  type PaymentFilter,
} from "./piecework.api";
import "./piecework.css";

const STATUSES = ["Paid", "Canceled"] as const;

export default function PaidOrdersPage() {
  const { t } = useTranslation(["piecework", "shared"]);
  const language = useLanguage();
  const query = useTableQuery(PAYMENT_FILTERS);
  const list = usePayments(query);
  const { opened, open, close } = useOpenRecord();
  const one = usePayment(typeof opened === "number" ? opened : null);
  const columns = useMemo(() => paymentColumns(t, language), [t, language]);
  return (
    <ListPage<Payment>
      title={t("paid.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={t("paid.search")}
      filters={
        <>
          <ChoiceFilter
            query={query}
            name="status"
            label={t("filter.status")}
            options={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
          />
          <PeriodAndPeople query={query} personLabel="paid.payee" />
        </>
      }
      file={{ name: "paid-orders", ask: (format) => exportPayments(query, format) }}
      above={<Totals query={query} />}
      emptyTitle={t("paid.empty")}
      emptyDrawing="scale"
      onOpen={({ id }) => open(id)}
      rowClassName={({ status }) => (status === "Canceled" ? "ob-payment--canceled" : "")}
      renderCard={(payment) => <PaymentCard payment={payment} onOpen={() => open(payment.id)} />}
    >
      {one.data !== undefined && <PaymentDrawer payment={one.data} onClose={close} />}
      {one.data === undefined && one.error !== undefined && (
        <RecordGone error={one.error} onClose={close} />
      )}
    </ListPage>
  );
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

function PaymentCard({ payment, onOpen }: { payment: Payment; onOpen: () => void }) {
  const { t } = useTranslation("piecework");
  return (
    <button type="button" className="ob-stack ob-stack--tight ob-card" onClick={onOpen}>
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
