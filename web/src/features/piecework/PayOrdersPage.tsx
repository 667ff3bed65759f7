/** Pay piecework: by person, or record by record with filters and ticks. */
import Button from "antd/es/button";
import Segmented from "antd/es/segmented";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { DraftNote } from "@/shared/form/notes";
import { useAddress } from "@/shared/hooks/useAddress";
import type { Selection } from "@/shared/hooks/useSelection";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { GrowingFilters } from "@/shared/form/GrowingFilters";
import { daysPart, optionPart } from "@/shared/form/filterParts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { PageTitle } from "@/shared/ui/PageTitle";
import { SelectionBar } from "@/shared/ui/SelectionBar";
import { basketOf, byPerson, itemsOf, totalOf } from "./basket";
import { payableColumns } from "./pay/columns";
import { PaidNote, type Paid } from "./pay/PaidNote";
import { PayableCard } from "./pay/PayableCard";
import { keyOf, useKeptBasket } from "./pay/useKeptBasket";
import { usePayWords } from "./pay/usePayWords";
import { PeopleToPay } from "./people/PeopleToPay";
import { exportPayables, PAYABLE_FILTERS, usePayables } from "./piecework.api";
import "./piecework.css";

const PayDrawer = lazyPart(() => import("./pay/PayDrawer"));

const VIEWS = ["people", "records"] as const;
type View = (typeof VIEWS)[number];

const OPTIONS = [
  ["productionProcessId", "production-processes", "filter.process"],
  ["userId", "users", "pay.person"],
  ["customerId", "customers", "filter.customer"],
] as const;

export default function PayOrdersPage() {
  const { t } = useTranslation("piecework");
  const [params, change] = useAddress();
  const [paid, setPaid] = useState<Paid | null>(null);
  const mayRead = useMay("ReportPaidOrders");
  // If the address filters the records, show the records.
  const narrowed = ["search", "userId", "customerId", "productionProcessId"].some((name) =>
    params.has(name),
  );
  const view = VIEWS.find((one) => one === params.get("view")) ?? (narrowed ? "records" : "people");
  const parts = {
    views: (
      <Segmented<View>
        aria-label={t("pay.view")}
        value={view}
        options={VIEWS.map((value) => ({ value, label: t(`pay.${value}`) }))}
        onChange={(next) =>
          change((address) => {
            for (const name of params.keys()) address.delete(name);
            address.set("view", next);
          })
        }
      />
    ),
    note: paid !== null && mayRead && <PaidNote paid={paid} onClose={() => setPaid(null)} />,
    onPaid: setPaid,
  };
  if (view === "records") return <RecordsToPay {...parts} />;
  return (
    <div className="ob-page">
      <PageTitle title={t("pay.title")} actions={parts.views} />
      {parts.note}
      <PeopleToPay onPaid={setPaid} />
    </div>
  );
}

interface RecordsProps {
  /** Switches between people and records. */
  views: ReactNode;
  note: ReactNode;
  onPaid: (paid: Paid) => void;
}

function RecordsToPay({ views, note, onPaid }: RecordsProps) {
  const { t } = useTranslation(["piecework", "shared"]);
  const language = useLanguage();
  const query = useTableQuery(PAYABLE_FILTERS);
  const list = usePayables(query);
  const mayPay = useMay("CreatePay");
  const basket = useKeptBasket(list, JSON.stringify(query.server));
  const { selection, setPaying } = basket;
  const columns = useMemo(() => payableColumns(t, language), [t, language]);
  const { keys, choose } = selection;

  return (
    <ListPage<Payable>
      title={t("pay.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={keyOf}
      searchLabel={t("pay.search")}
      filters={
        <GrowingFilters
          query={query}
          parts={[
            ...OPTIONS.map(([name, catalog, word]) =>
              optionPart({ query, name, catalog, label: t(word) }),
            ),
            daysPart({ query }, t("shared:days.label")),
          ]}
        />
      }
      actions={views}
      file={{ name: "pay-orders", ask: (format) => exportPayables(query, format) }}
      above={
        <>
          {note}
          {basket.restored && <DraftNote text={t("pay.kept")} onDrop={selection.clear} />}
        </>
      }
      below={<PayBar selection={selection} onPay={() => setPaying(true)} />}
      emptyTitle={t("pay.empty")}
      emptyDrawing="scale"
      renderCard={(row) => (
        <PayableCard
          row={row}
          ticked={keys.includes(keyOf(row))}
          onTick={
            mayPay
              ? (now) => {
                  const key = keyOf(row);
                  choose(now ? [...keys, key] : keys.filter((each) => each !== key));
                }
              : undefined
          }
        />
      )}
      {...(mayPay ? { selection: { keys, onChange: choose } } : {})}
    >
      {basket.paying && (
        <PayDrawer
          basket={basketOf(selection.rows)}
          onPaid={(paid) => {
            selection.clear();
            onPaid(paid);
          }}
          onClose={() => setPaying(false)}
        />
      )}
    </ListPage>
  );
}

interface Props {
  selection: Selection<Payable>;
  onPay: () => void;
}

/** The bar for the ticked records: their pieces, people and amount. */
function PayBar({ selection, onPay }: Props) {
  const { t } = useTranslation("piecework");
  const { payTo } = usePayWords();
  const basket = basketOf(selection.rows);
  const items = itemsOf(basket);
  const { pieces, total } = totalOf(items, basket);
  return (
    <SelectionBar
      label={t("pay.selection")}
      selection={selection}
      gender="male"
      sum={pieces === null ? t("none") : t("pieces", { count: pieces })}
    >
      <Button type="primary" onClick={onPay}>
        {payTo("open", total, byPerson(items, basket))}
      </Button>
    </SelectionBar>
  );
}
