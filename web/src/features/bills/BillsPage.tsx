/** The list of bills and pre-bills by status, searched, filtered and exported. Specification 2, section 2. */
import Segmented from "antd/es/segmented";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Delivery } from "@/contract";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useMay } from "@/shared/session/session";
import { ExportButton } from "@/shared/ui/ExportButton";
import { ListPage } from "@/shared/ui/ListPage";
import { BILL_FILTERS, exportBills, useBills } from "./bills.api";
import { BillCard } from "./list/BillCard";
import { BillFilters } from "./list/BillFilters";
import { BillSums } from "./list/BillSums";
import { useBillColumns } from "./list/columns";
import { billPath, NEW_BILL } from "./paths";
import "./list/list.css";

const STATUSES = ["PreBill", "Billed", "Canceled"] as const satisfies Delivery["status"][];

export default function BillsPage() {
  const { t } = useTranslation(["bills", "shared"]);
  const navigate = useNavigate();
  const mayCreate = useMay("CreateDelivery");
  const query = useTableQuery(BILL_FILTERS);
  const list = useBills(query);
  const columns = useBillColumns();

  return (
    <ListPage<Delivery, (typeof BILL_FILTERS)[number]>
      title={t("list.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("list.search")}
      filters={<BillFilters query={query} />}
      actions={
        <ExportButton
          name="bills"
          disabled={list.total === 0}
          ask={(format) => exportBills(query, format)}
        />
      }
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
      emptyHint={mayCreate ? t("list.emptyHint") : undefined}
      onOpen={({ id }) => void navigate(billPath(id))}
      rowClassName={({ status }) => (status === "Canceled" ? "ob-bills__canceled" : "")}
      renderCard={(bill) => <BillCard bill={bill} />}
    />
  );
}
