/**
 * List open lines past their delivery date: all, those due today, or those due in the days before.
 */
import Segmented from "antd/es/segmented";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ExpiredRow } from "@/contract";
import { NumberField } from "@/shared/form/NumberField";
import { formatNumber } from "@/shared/format/numbers";
import { orNothing, problemOf, readTyped, taken, type Typed } from "@/shared/format/typedNumber";
import { useAddress } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import { scannedPath } from "@/entities/scanning/openLine";
import { useMay } from "@/shared/session/session";
import { Standing } from "@/entities/standing/Standing";
import { StatusChip } from "@/shared/ui/Chip";
import { DataTable, type Columns } from "@/shared/ui/DataTable";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { Quantity } from "@/entities/standing/Quantity";
import { useExpired, useExpiredCount, type Expired } from "../reports.api";

const USUAL_DAYS = 7;
/** Rows shown at first, so that the charts stay visible. */
const FIRST = 6;
const DAYS = { least: 1, most: 3_650 };
const WHICH = ["all", "today", "days"] as const;

export function ExpiredLines() {
  const { t } = useTranslation(["reports", "shared"]);
  const language = useLanguage();
  const [address, change] = useAddress();
  const days = daysIn(address.get("days"));
  const shown = WHICH.find((each) => each === address.get("expired")) ?? "all";
  const which: Expired = shown === "days" ? days : shown;
  const list = useExpired(which, useTableQuery());
  const count = useExpiredCount(days).data?.count;
  const columns = useColumns(list.retry);
  const [few, setFew] = useState(address.get("show") === null);
  return (
    <div className="ob-stack ob-stack--wide ob-dashboard__whole">
      <div className="ob-row">
        <h2 className="ob-first">{t("expired.title")}</h2>
        <Segmented<(typeof WHICH)[number]>
          aria-label={t("expired.title")}
          value={shown}
          options={WHICH.map((value) => ({
            value,
            label:
              value === "days" && count !== undefined
                ? t("expired.daysCount", { count: days, lines: formatNumber(count, language) })
                : t(`expired.${value}`, { count: days }),
          }))}
          onChange={(value) =>
            change((next) => {
              next.delete("show");
              next.set("expired", value);
            })
          }
        />
        {shown === "days" && (
          <DaysBack
            days={days}
            onChange={(typed) => change((next) => next.set("days", String(typed)))}
          />
        )}
      </div>
      {list.error === undefined ? (
        <DataTable
          rowKey="id"
          label={t("expired.title")}
          columns={columns}
          fits
          rows={few ? list.rows?.slice(0, FIRST) : list.rows}
          total={list.total}
          onMore={few && (list.rows?.length ?? 0) > FIRST ? () => setFew(false) : list.more}
          renderCard={(row) => (
            <div className="ob-stack ob-stack--tight ob-card">
              <span className="ob-words ob-apart">
                <strong>
                  <LineLink row={row} />
                </strong>
                <StatusChip status={row.status} />
              </span>
              <span className="ob-bar">
                <Thumb address={row.thumbnail} onExpired={list.retry} />
                {row.itemName}
              </span>
              <Standing line={row} />
              <span className="ob-quiet">
                {row.customerName} · {row.deliveryDate}
              </span>
            </div>
          )}
          empty={<EmptyState drawing="ring" title={t("expired.none")} />}
        />
      ) : (
        <div className="ob-surface">
          <LoadFailed error={list.error} onRetry={list.retry} />
        </div>
      )}
    </div>
  );
}

function daysIn(text: string | null): number {
  const days = readTyped(text ?? "", DAYS);
  return problemOf(days, DAYS) === null ? orNothing(days) : USUAL_DAYS;
}

/**
 * Field for the number of days. The list follows valid numbers; an invalid one stays in the field
 * and changes nothing.
 */
function DaysBack({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  const { t } = useTranslation("reports");
  const [typed, setTyped] = useState<Typed>(days);
  return (
    <NumberField
      className="ob-expired__days"
      aria-label={t("expired.howMany")}
      rule={DAYS}
      value={typed}
      onChange={(now) => {
        setTyped(now);
        if (problemOf(now, DAYS) === null) onChange(taken(now));
      }}
    />
  );
}

function LineLink({ row }: { row: ExpiredRow }) {
  const may = [useMay("ListOrders"), useMay("ListSalesOrders")].includes(true);
  const name = `${row.customerSalesOrderId} · ${row.position}`;
  const path = scannedPath(row.salesOrderId, row.position);
  return may ? <Link to={path}>{name}</Link> : name;
}

function useColumns(onExpired: () => void): Columns<ExpiredRow> {
  const { t } = useTranslation("reports");
  return [
    { key: "po", title: t("column.po"), render: (_, row) => <LineLink row={row} /> },
    {
      key: "standing",
      title: t("column.standing"),
      width: "28%",
      render: (_, row) => <Standing line={row} />,
    },
    {
      key: "delivery",
      title: t("column.delivery"),
      width: 118,
      render: (_, { deliveryDate, late }) => (
        <span className={late ? "ob-wrong" : ""}>{deliveryDate}</span>
      ),
    },
    { key: "customer", title: t("column.customer"), dataIndex: "customerName" },
    {
      key: "item",
      title: t("column.item"),
      render: (_, row) => (
        <span className="ob-bar">
          <Thumb address={row.thumbnail} onExpired={onExpired} />
          <span className="ob-two-rows" title={row.itemName}>
            {row.itemName}
          </span>
        </span>
      ),
    },
    {
      key: "quantity",
      title: t("column.pieces"),
      align: "right",
      width: 90,
      render: (_, row) => <Quantity line={row} />,
    },
    {
      key: "status",
      title: t("column.status"),
      width: 130,
      render: (_, row) => <StatusChip status={row.status} />,
    },
  ];
}
