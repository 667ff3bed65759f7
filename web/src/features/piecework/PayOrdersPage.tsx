/** What left a process and is left to pay: filter, tick, pay. */
import Button from "antd/es/button";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { DraftNote } from "@/shared/form/notes";
import type { Selection } from "@/shared/hooks/useSelection";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ExportButton } from "@/shared/ui/ExportButton";
import { OptionFilter } from "@/shared/ui/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { SelectionBar } from "@/shared/ui/SelectionBar";
import { basketOf, byPerson, itemsOf, totalOf } from "./basket";
import { PeriodAndPeople } from "./Filters";
import { payableColumns } from "./pay/columns";
import { PayableCard } from "./pay/PayableCard";
import { keyOf, useKeptBasket } from "./pay/useKeptBasket";
import { usePayWords } from "./pay/usePayWords";
import { exportPayables, PAYABLE_FILTERS, usePayables } from "./piecework.api";
import "./piecework.css";

const PayDrawer = lazyPart(() => import("./pay/PayDrawer"));

export default function PayOrdersPage() {
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
      above={basket.restored && <DraftNote text={t("pay.kept")} onDrop={selection.clear} />}
      below={<PayBar selection={selection} onPay={() => setPaying(true)} />}
      emptyTitle={t("pay.empty")}
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
          onPaid={selection.clear}
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

/** What is ticked, whose it is and what it comes to. */
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
