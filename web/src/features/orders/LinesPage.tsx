/**
 * List the lines of all orders, late ones first. Selected lines can be approved, canceled or
 * printed together.
 */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { LineRow } from "@/contract";
import { useNow } from "@/shared/hooks/browser";
import { useAddress } from "@/shared/hooks/useAddress";
import { useSelection } from "@/shared/hooks/useSelection";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { listAsFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import { useIsCustomer, useMay } from "@/shared/session/session";
import { LINE_STATUSES } from "@/entities/statuses";
import { StatusChip } from "@/shared/ui/Chip";
import { GrowingFilters } from "@/shared/form/GrowingFilters";
import { choicePart, daysPart, optionPart } from "@/shared/form/filterParts";
import { ChoiceFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { Delivery, LinePicture } from "./Figures";
import { BulkBar } from "./lines/BulkBar";
import { lineColumns } from "./lines/columns";
import { lineKey } from "./lines/selection";
import { Forecast } from "@/entities/forecast/Forecast";
import { CallChip } from "@/entities/talk/CallChip";
import { Quantity } from "@/entities/standing/Quantity";
import { Standing } from "@/entities/standing/Standing";
import { LINE_FILTERS, useLines, type LineFilter } from "./orders.api";
import { ScanButton } from "./ScanButton";
import "./lists.css";

const LineModal = lazyPart(() => import("./line/LineModal"));

export default function LinesPage() {
  const { t } = useTranslation(["orders", "shared"]);
  const language = useLanguage();
  const query = useTableQuery(LINE_FILTERS);
  const list = useLines(query);
  const now = useNow(60_000);
  const selection = useSelection(list, JSON.stringify(query.server), lineKey);
  // Keep the open line in the address: the back button closes it, and it opens again after a new
  // sign-in.
  const [address, change] = useAddress();
  const opened = parse(address.get("line"));
  const open = (line: LineRow) => change((next) => next.set("line", lineKey(line)), true);
  const customer = useIsCustomer();
  const columns = useMemo(
    () => lineColumns(t, language, now, customer),
    [t, language, now, customer],
  );

  return (
    <ListPage<LineRow>
      title={t("lines.title")}
      query={query}
      list={list}
      columns={columns}
      fits
      rowKey={lineKey}
      searchLabel={t("lines.search")}
      filters={<LineFilters query={query} />}
      actions={<ScanButton />}
      below={<BulkBar selection={selection} />}
      file={{
        name: "lines",
        ask: (format) => listAsFile("/api/sales-order/positions", query.server, format),
      }}
      emptyTitle={t("lines.empty")}
      emptyDrawing="ring"
      onOpen={open}
      rowClassName={({ status }) => (status === "Canceled" ? "ob-order-lines__canceled" : "")}
      renderCard={(line) => <LineListCard line={line} onOpen={() => open(line)} />}
      {...(customer
        ? {}
        : {
            selection: {
              keys: selection.keys,
              onChange: selection.choose,
              nameOf: ({ customerSalesOrderId, position }: LineRow) =>
                `${customerSalesOrderId} · ${position}`,
            },
          })}
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

function LineListCard({ line, onOpen }: { line: LineRow; onOpen: () => void }) {
  const customer = useIsCustomer();
  return (
    <button type="button" className="ob-stack ob-stack--tight ob-card" onClick={onOpen}>
      <span className="ob-words ob-apart">
        <strong>
          {line.customerSalesOrderId} · {line.position}
        </strong>
        <StatusChip status={line.status} />
      </span>
      <span className="ob-bar">
        <LinePicture line={line} />
        <span>{line.itemName}</span>
      </span>
      <span className="ob-words ob-apart">
        <span className="ob-quiet">
          {customer ? "" : `${line.customerName} · `}
          <Quantity line={line} said />
        </span>
        <Delivery day={line.deliveryDate} late={line.late} said />
      </span>
      <Standing line={line} />
      {line.call !== null && <CallChip call={line.call} />}
      <Forecast forecast={line.forecast} late={line.late} due={line.deliveryDate} />
    </button>
  );
}

const ATTENTION = [
  "called",
  "late",
  "likelyLate",
  "dueThisWeek",
  "insideOverADay",
  "toWeigh",
  "toSign",
] as const;
/** The filters that customers are not offered. */
const OF_STAFF: readonly string[] = ["likelyLate", "called"];
/** The filters for users who may see metal. */
const OF_METAL: readonly string[] = ["toWeigh", "toSign"];

/** Choose one of several filters. Each has its own parameter in the address. */
function AttentionFilter({ query }: { query: TableQuery<LineFilter> }) {
  const { t } = useTranslation("orders");
  const customer = useIsCustomer();
  const seesMetal = useMay("ViewMetal");
  // Customers are not told which lines the workshop expects to be late, or where somebody calls.
  const offered = ATTENTION.filter(
    (name) => (!OF_STAFF.includes(name) || !customer) && (!OF_METAL.includes(name) || seesMetal),
  );
  const chosen = ATTENTION.find((name) => query.filters[name] === "true");
  const asChoice = {
    filters: chosen === undefined ? {} : { attention: chosen },
    set: ({ attention }: { attention?: string }) =>
      query.set(
        Object.fromEntries(ATTENTION.map((name) => [name, name === attention ? "true" : ""])),
      ),
  };
  return (
    <ChoiceFilter
      query={asChoice}
      name="attention"
      label={t("lines.attention")}
      options={offered.map((value) => ({ value, label: t(`lines.${value}`) }))}
    />
  );
}

const RISKS = ["high", "medium", "low"] as const;

/** Filters of the list. All of them are kept in the page's address. */
function LineFilters({ query }: { query: TableQuery<LineFilter> }) {
  const { t } = useTranslation(["orders", "shared"]);
  const customer = useIsCustomer();
  const attention = {
    names: ATTENTION,
    label: t("lines.attention"),
    part: <AttentionFilter query={query} />,
  };
  const risk = choicePart({
    query,
    name: "risk",
    label: t("lines.risk"),
    options: RISKS.map((value) => ({ value, label: t(`lines.riskOf.${value}`) })),
  });
  const status = choicePart({
    query,
    name: "status",
    label: t("list.status"),
    placeholder: t("list.anyStatus"),
    options: LINE_STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) })),
  });
  const ofStaff = [
    optionPart({
      query,
      name: "customerId",
      catalog: "customers",
      label: t("list.customer"),
      placeholder: t("list.anyCustomer"),
    }),
    optionPart({
      query,
      name: "productionProcessId",
      catalog: "production-processes",
      label: t("lines.process"),
      placeholder: t("lines.anyProcess"),
    }),
  ];
  const days = daysPart({ query }, t("shared:days.label"));
  const parts = customer ? [attention, status, days] : [attention, risk, status, ...ofStaff, days];
  return <GrowingFilters query={query} parts={parts} />;
}
