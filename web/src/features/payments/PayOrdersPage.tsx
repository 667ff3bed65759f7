/** What left a process and is left to pay: filter, tick, pay. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ExportButton } from "@/shared/ui/ExportButton";
import { OptionFilter } from "@/shared/ui/filters";
import { ListPage } from "@/shared/ui/ListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import { EMPTY, follow, tick } from "./basket";
import { PayBar } from "./pay/PayBar";
import { PayableCard } from "./pay/PayableCard";
import { payableColumns } from "./pay/columns";
import { PeriodAndPeople } from "./Filters";
import { exportPayables, PAYABLE_FILTERS, usePayables } from "./payments.api";
import "./payments.css";

const PayDrawer = lazyPart(() => import("./pay/PayDrawer"));

export default function PayOrdersPage() {
  const { t } = useTranslation(["payments", "shared"]);
  const language = useLanguage();
  const query = useTableQuery(PAYABLE_FILTERS);
  const list = usePayables(query);
  const mayPay = useMay("CreatePay");
  const [ticked, setTicked] = useState(EMPTY);
  const [paying, setPaying] = useState(false);
  const rows = list.rows;
  const basket = useMemo(() => follow(ticked, rows ?? []), [ticked, rows]);
  const columns = useMemo(() => payableColumns(t, language), [t, language]);
  const keys = [...basket.keys()].map(String);
  const choose = (chosen: readonly string[]) => setTicked(tick(basket, rows ?? [], chosen));

  return (
    <ListPage<Payable>
      title={t("pay.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={t("pay.search")}
      filters={
        <>
          <OptionFilter
            query={query}
            name="productionProcessId"
            catalog="production-processes"
            label={t("filter.process")}
          />
          <PeriodAndPeople query={query} personLabel="pay.person" />
        </>
      }
      actions={<ExportButton name="pay-orders" ask={(format) => exportPayables(query, format)} />}
      above={
        <PayBar basket={basket} onPay={() => setPaying(true)} onClear={() => setTicked(EMPTY)} />
      }
      emptyTitle={t("pay.empty")}
      renderCard={(row) => (
        <PayableCard
          row={row}
          ticked={basket.has(row.id)}
          onTick={
            mayPay
              ? (now) => {
                  const key = String(row.id);
                  choose(now ? [...keys, key] : keys.filter((each) => each !== key));
                }
              : undefined
          }
        />
      )}
      {...(mayPay ? { selection: { keys, onChange: choose } } : {})}
    >
      {paying && (
        <PayDrawer
          basket={basket}
          onPaid={() => setTicked(EMPTY)}
          onClose={() => setPaying(false)}
        />
      )}
    </ListPage>
  );
}
