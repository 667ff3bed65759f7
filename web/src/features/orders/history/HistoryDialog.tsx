/** Show all process records of a line, newest first. Updates live while open. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Skeleton from "antd/es/skeleton";
import Table from "antd/es/table";
import { useEffect, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line, ProcessRecord } from "@/contract";
import { Select } from "@/shared/form/Select";
import { useFocusBack, useHand } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { DataTable } from "@/shared/ui/DataTable";
import { LoadFailed } from "@/shared/ui/states";
import { TALL_DIALOG } from "@/shared/ui/tallDialog";
import { UndoButton } from "../line/UndoButton";
import { useHistory } from "../orders.api";
import { SignLossPopup } from "../popup/SignLossPopup";
import { WeighPopup } from "../popup/WeighPopup";
import { historyColumns } from "./columns";
import { isWeighable, isWeighed, newestFirst, rowState } from "./rows";
import "./history.css";

const PAGE_SIZES = [25, 50, 100];

/** Time after opening until the table has sorting and pagination, in ms. */
const ATTACH_AFTER = 500;

interface Props {
  line: Line;
  onUndo: () => void;
  onClose: () => void;
}

export default function HistoryDialog({ line, onUndo, onClose }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  const language = useLanguage();
  useFocusBack();
  const hand = useHand();
  const { data, error, mutate } = useHistory(line.salesOrderId, line.position);
  const [pageSize, setPageSize] = useState(PAGE_SIZES[0]!);
  const rows = useMemo(() => (data === undefined ? undefined : newestFirst(data)), [data]);
  const attached = useAttached();
  const [weighing, setWeighing] = useState<ProcessRecord | null>(null);
  const [signing, setSigning] = useState<ProcessRecord | null>(null);
  const mayWeigh = useMay("ManageMetal");
  const weighed = rows?.some((one) => isWeighed(one) || (mayWeigh && isWeighable(one))) ?? false;
  const { columns, width } = useMemo(
    () =>
      historyColumns(t, language, {
        sorts: attached,
        weighed,
        office: mayWeigh ? { weigh: setWeighing, sign: setSigning } : null,
      }),
    [t, language, attached, weighed, mayWeigh],
  );
  const sizeLabel = useId();

  return (
    <Modal
      open
      centered
      className="ob-history"
      styles={TALL_DIALOG}
      width={hand ? "calc(100vw - 16px)" : "80vw"}
      title={t("history.name", {
        po: line.customerSalesOrderId,
        position: line.position,
      })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={
        <div className="ob-bar">
          {!hand && (
            <>
              <label htmlFor={sizeLabel}>{t("history.pageSize")}</label>
              <Select
                id={sizeLabel}
                value={pageSize}
                options={PAGE_SIZES.map((value) => ({ value, label: value }))}
                onChange={setPageSize}
              />
            </>
          )}
          <span className="ob-bar ob-last">
            <UndoButton line={line} onUndo={onUndo} />
            <Button onClick={onClose}>{t("shared:action.close")}</Button>
          </span>
        </div>
      }
    >
      {rows === undefined && error === undefined && (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      )}
      {rows === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {rows !== undefined && hand && (
        // Make it focusable, because arrow keys scroll the focused element and cards take no focus.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <section tabIndex={0} aria-label={t("history.title")}>
          <DataTable
            rowKey="id"
            label={t("history.title")}
            columns={columns}
            rows={rows.slice(0, pageSize)}
            total={rows.length}
            onMore={pageSize < rows.length ? () => setPageSize(rows.length) : undefined}
            rowClassName={(record) => `ob-history__row--${rowState(record)}`}
            empty={null}
          />
        </section>
      )}
      {rows !== undefined && !hand && (
        <Table
          rowKey="id"
          size="small"
          aria-label={t("history.title")}
          columns={columns}
          dataSource={attached ? rows : rows.slice(0, pageSize)}
          showSorterTooltip={false}
          scroll={{ x: width }}
          rowClassName={(record) => `ob-history__row--${rowState(record)}`}
          pagination={
            attached && {
              pageSize,
              showSizeChanger: false,
              showTotal: (total, [from, to]) => t("history.range", { from, to, total }),
            }
          }
        />
      )}
      {weighing !== null && (
        <WeighPopup line={line} record={weighing} onClose={() => setWeighing(null)} />
      )}
      {signing !== null && (
        <SignLossPopup line={line} record={signing} onClose={() => setSigning(null)} />
      )}
    </Modal>
  );
}

function useAttached(): boolean {
  const [attached, setAttached] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAttached(true), ATTACH_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return attached;
}
