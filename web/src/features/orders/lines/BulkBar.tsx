/** Actions on all selected lines. Renders no bar while nothing is selected. */
import PrinterOutlined from "@ant-design/icons/es/icons/PrinterOutlined";
import Button from "antd/es/button";
import Popconfirm from "antd/es/popconfirm";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { LineRow, LineStatus } from "@/contract";
import { newBillPath } from "@/entities/newBill";
import type { Selection } from "@/shared/hooks/useSelection";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { newKey } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { ORDERS_AND_LINES } from "@/shared/http/keys";
import { useMay } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { SelectionBar } from "@/shared/ui/SelectionBar";
import { toast } from "@/shared/ui/toast";
import { changeStatus } from "../orders.writes";
import { usePrinting } from "../printing/usePrinting";
import { forEachLine, lineKey, offeredTo, readyToBill, type Outcome } from "./selection";

/** Most lines that the form of a bill takes at once. */
const MOST_BILLED = 200;

export function BulkBar({ selection }: { selection: Selection<LineRow> }) {
  const { rows: lines } = selection;
  const { t } = useTranslation(["orders", "shared"]);
  const { reload } = useAnswers();
  const [refused, setRefused] = useState<Outcome["refused"]>([]);
  const [{ tried, all }, setTried] = useState({ tried: 0, all: 0 });
  const printing = usePrinting();
  const mayPrint = useMay("PrintWorkSheet");
  const mayBill = useMay("CreateDelivery");
  const navigate = useNavigate();
  const mayChange = useMay("UpdateSalesOrderPositionStatus");
  const { submit, busy } = useSubmit((_headers, chosen: LineRow[], status: LineStatus) =>
    forEachLine(
      chosen,
      (line) => changeStatus({ "Idempotency-Key": newKey() }, line, status),
      (reason) => errorText(asApiError(reason)),
      (count) => setTried({ tried: count, all: chosen.length }),
    ),
  );

  async function changeAll(status: LineStatus) {
    const offered = offeredTo(lines, status);
    setTried({ tried: 0, all: offered.length });
    const outcome = await submit(offered, status);
    if (outcome === undefined) return;
    setRefused(outcome.refused);
    if (outcome.done > 0) {
      toast.success(
        t(`lines.${status === "Approved" ? "approved" : "canceled"}`, { count: outcome.done }),
      );
      await reload(ORDERS_AND_LINES);
    }
    // Keep the refused lines selected, because they are left to look at.
    selection.keep(outcome.left.map(lineKey));
  }

  if (lines.length === 0) return printing.dialog;
  const toApprove = offeredTo(lines, "Approved").length;
  const { ready, customers } = readyToBill(lines);
  const customerId = ready[0]?.customerId ?? 0;
  const toCancel = offeredTo(lines, "Canceled").length;
  return (
    <SelectionBar
      label={t("lines.selection")}
      selection={selection}
      gender="female"
      {...(busy ? { sum: t("lines.tried", { tried, all }) } : {})}
    >
      {mayChange && (
        <Button
          type="primary"
          disabled={toApprove === 0}
          loading={busy}
          onClick={() => void changeAll("Approved")}
        >
          {t("lines.approve", { count: toApprove })}
        </Button>
      )}
      {mayBill && (
        <Button
          disabled={ready.length === 0 || customers > 1 || ready.length > MOST_BILLED}
          onClick={() => void navigate(newBillPath({ customerId, lines: ready }))}
        >
          {t("order.bill", { count: ready.length })}
        </Button>
      )}
      {mayPrint && (
        <Button
          icon={<PrinterOutlined aria-hidden />}
          loading={printing.busy}
          onClick={() =>
            void printing.print(
              lines.map(({ salesOrderId, position }) => ({ salesOrderId, position })),
            )
          }
        >
          {t("print.sheets", { count: lines.length })}
        </Button>
      )}
      {mayChange && (
        <Popconfirm
          title={t("lines.cancelTitle", { count: toCancel })}
          description={t("lines.cancelText")}
          okText={t("lines.cancelAccept", { count: toCancel })}
          okButtonProps={{ danger: true }}
          cancelText={t("lines.cancelKeep")}
          onConfirm={() => changeAll("Canceled")}
        >
          <Button danger disabled={toCancel === 0 || busy}>
            {t("lines.cancel", { count: toCancel })}
          </Button>
        </Popconfirm>
      )}
      {mayBill && customers > 1 && (
        <span className="ob-quiet">{t("lines.billOneCustomer", { count: customers })}</span>
      )}
      {mayBill && customers === 1 && ready.length > MOST_BILLED && (
        <span className="ob-quiet">{t("lines.billFewer", { most: MOST_BILLED })}</span>
      )}
      {refused.length > 0 && (
        <ul className="ob-dots ob-wrong" role="alert">
          {refused.map(({ message, count }) => (
            <li key={message}>
              {t("lines.refused", { count })}: {message}
            </li>
          ))}
        </ul>
      )}
      {printing.dialog}
    </SelectionBar>
  );
}
