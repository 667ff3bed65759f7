/** Every line of every order, what is late first: the office's daily list. Select many to approve, cancel or print. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { LineRow } from "@/contract";
import { useAddress } from "@/shared/hooks/useAddress";
import { useNow } from "@/shared/hooks/useNow";
import { useSelection } from "@/shared/hooks/useSelection";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { ListPage } from "@/shared/ui/ListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BulkBar } from "./lines/BulkBar";
import { lineColumns } from "./lines/columns";
import { LineFilters } from "./lines/LineFilters";
import { LineListCard } from "./lines/LineListCard";
import { lineKey } from "./lines/selection";
import { LINE_FILTERS, useLines } from "./orders.api";
import { ScanButton } from "./scanning/ScanButton";
import "./lines/lines.css";

const LineModal = lazyPart(() => import("./line/LineModal"));

export default function LinesPage() {
  const { t } = useTranslation(["orders", "shared"]);
  const language = useLanguage();
  const query = useTableQuery(LINE_FILTERS);
  const list = useLines(query);
  const now = useNow(60_000);
  const selection = useSelection(list, JSON.stringify(query.server), lineKey);
  // What is open stands in the address: the back button closes it, and it comes back after a new sign-in.
  const [address, change] = useAddress();
  const opened = parse(address.get("line"));
  const open = (line: LineRow) => change((next) => next.set("line", lineKey(line)));
  const columns = useMemo(() => lineColumns(t, language, now), [t, language, now]);

  return (
    <ListPage<LineRow>
      title={t("lines.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={lineKey}
      searchLabel={t("lines.search")}
      filters={<LineFilters query={query} />}
      actions={<ScanButton />}
      below={<BulkBar selection={selection} />}
      emptyTitle={t("lines.empty")}
      onOpen={open}
      rowClassName={({ status }) => (status === "Canceled" ? "ob-order-lines__canceled" : "")}
      renderCard={(line) => <LineListCard line={line} now={now} onOpen={() => open(line)} />}
      selection={{
        keys: selection.keys,
        onChange: selection.choose,
        nameOf: ({ customerSalesOrderId, position }) => `${customerSalesOrderId} · ${position}`,
      }}
    >
      {opened !== null && (
        <LineModal {...opened} onClose={() => change((next) => next.delete("line"))} />
      )}
    </ListPage>
  );
}

function parse(text: string | null): { salesOrderId: number; position: number } | null {
  const [salesOrderId, position] = (text ?? "").split("-").map(Number);
  return salesOrderId && position ? { salesOrderId, position } : null;
}
