/**
 * The actions of an order: the next step first and primary, the usual actions with their keys, the
 * others behind "…", the red one last.
 */
import CheckOutlined from "@ant-design/icons/es/icons/CheckOutlined";
import CopyOutlined from "@ant-design/icons/es/icons/CopyOutlined";
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import EllipsisOutlined from "@ant-design/icons/es/icons/EllipsisOutlined";
import PrinterOutlined from "@ant-design/icons/es/icons/PrinterOutlined";
import ShareAltOutlined from "@ant-design/icons/es/icons/ShareAltOutlined";
import TableOutlined from "@ant-design/icons/es/icons/TableOutlined";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Line, SalesOrder } from "@/contract";
import { useHand } from "@/shared/hooks/browser";
import { useIsShown, useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { newKey } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { at, ORDER, ORDERS_AND_LINES } from "@/shared/http/keys";
import { Key, KeyButton } from "@/shared/ui/KeyButton";
import { useShortcut } from "@/shared/keyboard/shortcuts";
import { newBillPath } from "@/entities/newBill";
import { LabelsButton } from "@/entities/labels/LabelsButton";
import { useIsCustomer, useMay } from "@/shared/session/session";
import { DeleteDialog } from "@/shared/ui/DeleteDialog";
import { errorText, toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Refused } from "@/shared/ui/Refused";
import { toast } from "@/shared/ui/toast";
import { isToBill } from "../isToBill";
import { mayFinish } from "../line/pieces";
import { forEachLine } from "../lines/selection";
import { orderAt } from "../orders.api";
import { approveOrder, changeStatus, deleteOrder } from "../orders.writes";
import { copyPath, linesPath, ORDERS } from "../paths";
import type { Printing } from "../printing/usePrinting";
import { useLastChange } from "../useLastChange";

const ShareDialog = lazyPart(() => import("./ShareDialog"));

interface Props {
  order: SalesOrder;
  printing: Printing;
  onEdit: () => void;
}

export function OrderVerbs({ order, printing, onEdit }: Props) {
  const { t } = useTranslation("orders");
  const navigate = useNavigate();
  const isCustomer = useIsCustomer();
  const mayPrint = useMay("PrintWorkSheet") && !isCustomer;
  const mayBill = useMay("CreateDelivery");
  const { items, customerId, id } = order;
  const toApprove = items.filter(({ actions }) => actions.statuses.includes("Approved")).length;
  const toFinish = items.filter(mayFinish);
  const toBill = mayBill ? items.filter(isToBill).length : 0;
  const next = toApprove > 0 ? "approve" : toFinish.length > 0 ? "finish" : "bill";
  const isOpen = items.some(({ status }) => status === "Approved" || status === "InProcess");
  return (
    <>
      {toApprove > 0 && <ApproveButton order={order} count={toApprove} />}
      {toFinish.length > 0 && (
        <FinishButton order={order} lines={toFinish} isNext={next === "finish"} />
      )}
      {toBill > 0 && (
        <KeyButton
          letter="f"
          does="bill"
          keyed={toFinish.length === 0}
          type={next === "bill" ? "primary" : "default"}
          onClick={() => void navigate(newBillPath({ customerId, salesOrderId: id }))}
        >
          {t("order.bill", { count: toBill })}
        </KeyButton>
      )}
      {mayPrint && (
        <KeyButton
          letter="p"
          does="print"
          type={toApprove + toFinish.length + toBill === 0 && isOpen ? "primary" : "default"}
          icon={<PrinterOutlined aria-hidden />}
          loading={printing.busy}
          onClick={() => void printing.print([{ salesOrderId: id }])}
        >
          {t("print.order")}
        </KeyButton>
      )}
      <LabelsButton
        source={{ documents: [{ salesOrderId: id }] }}
        pieces={items.flatMap((line) => (line.status === "Canceled" ? [] : line.quantityGood))}
      />
      {order.actions.edit && (
        <KeyButton letter="e" does="edit" onClick={onEdit}>
          {t("order.edit")}
        </KeyButton>
      )}
      <ShareButton order={order} />
      <OtherVerbs order={order} />
    </>
  );
}

function ShareButton({ order }: { order: SalesOrder }) {
  const { t } = useTranslation("orders");
  const mayShare = useMay("ManageCustomerLinks");
  const [sharing, setSharing] = useState(false);
  if (!mayShare) return null;
  return (
    <>
      <KeyButton
        letter="c"
        does="share"
        icon={<ShareAltOutlined aria-hidden />}
        onClick={() => setSharing(true)}
      >
        {t("share.button")}
      </KeyButton>
      {sharing && <ShareDialog order={order} onClose={() => setSharing(false)} />}
    </>
  );
}

/** Approve all lines for which the server offers it. */
function ApproveButton({ order, count }: { order: SalesOrder; count: number }) {
  const { t } = useTranslation("orders");
  const { afterWrite, reload } = useAnswers();
  const { submit, busy } = useSubmit(approveOrder);
  const { customerSalesOrderId: po } = order;
  const lastChange = useLastChange(order.id);

  async function approve() {
    try {
      if ((await submit(order)) === undefined) return;
      afterWrite(ORDERS_AND_LINES);
      toast.success(t("order.approved", { count, po }));
    } catch (reason) {
      if (asApiError(reason).status !== 412) return toastError(reason);
      // Do not approve what the user has not seen: load the changed order first.
      await reload(at(ORDER, orderAt(order.id).path));
      toast.error(t("order.changed", { who: lastChange ?? t("happened.somebody") }));
    }
    return undefined;
  }

  return (
    <>
      <KeyButton
        letter="a"
        does="approve"
        type="primary"
        icon={<CheckOutlined aria-hidden />}
        loading={busy}
        onClick={() => void approve()}
      >
        {t("order.approve", { count })}
      </KeyButton>
      <Refused of={order} />
    </>
  );
}

/** Finish the lines with all good pieces through their processes. */
function FinishButton(props: { order: SalesOrder; lines: Line[]; isNext: boolean }) {
  const { order, lines, isNext } = props;
  const { t } = useTranslation("orders");
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit((_headers, chosen: Line[]) =>
    forEachLine(
      chosen,
      (line) => changeStatus({ "Idempotency-Key": newKey() }, line, "Done"),
      (reason) => errorText(asApiError(reason)),
    ),
  );

  async function finish() {
    const outcome = await submit(lines);
    if (outcome === undefined) return;
    await reload(ORDERS_AND_LINES);
    const { done, refused } = outcome;
    const { customerSalesOrderId: po } = order;
    if (done > 0) toast.success(t("order.finished", { count: done, po }));
    for (const { message } of refused) toast.error(message);
  }

  return (
    <KeyButton
      letter="f"
      does="finishLines"
      type={isNext ? "primary" : "default"}
      loading={busy}
      onClick={() => void finish()}
    >
      {t("order.finish", { count: lines.length })}
    </KeyButton>
  );
}

function OtherVerbs({ order }: { order: SalesOrder }) {
  const { t } = useTranslation("orders");
  const navigate = useNavigate();
  const isShown = useIsShown();
  const hand = useHand();
  const mayCreate = useMay("CreateSalesOrder");
  const [deleting, setDeleting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { edit: mayEdit, delete: mayDelete } = order.actions;
  const duplicate = () => void navigate(copyPath(order.id));
  useShortcut({ key: "d", does: "duplicate", press: duplicate }, { is: mayCreate });
  const editLines = () => void navigate(linesPath(order.id));
  useShortcut({ key: "l", does: "lines", press: editLines }, { is: mayEdit });

  if (!mayCreate && !mayEdit && !mayDelete) return null;
  return (
    <>
      <Dropdown
        trigger={["click"]}
        placement="bottomRight"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keys then move in the menu that was opened
        autoFocus
        menu={{
          items: [
            ...(mayEdit
              ? [
                  {
                    key: "lines",
                    icon: <TableOutlined aria-hidden />,
                    label: t("order.editLines"),
                    ...(hand ? {} : { extra: <Key letter="l" /> }),
                    onClick: editLines,
                  },
                ]
              : []),
            ...(mayCreate
              ? [
                  {
                    key: "duplicate",
                    icon: <CopyOutlined aria-hidden />,
                    label: t("order.duplicate"),
                    ...(hand ? {} : { extra: <Key letter="d" /> }),
                    onClick: duplicate,
                  },
                ]
              : []),
            ...(mayDelete
              ? [
                  {
                    key: "delete",
                    danger: true,
                    icon: <DeleteOutlined aria-hidden />,
                    label: t("order.delete"),
                    onClick: () => {
                      // The dialog returns the focus to where it was, and the menu is gone by then.
                      button.current?.focus();
                      setDeleting(true);
                    },
                  },
                ]
              : []),
          ],
        }}
      >
        <Button ref={button} icon={<EllipsisOutlined aria-hidden />} aria-label={t("order.more")} />
      </Dropdown>
      {deleting && (
        <DeleteDialog
          name={t("order.title", { po: order.customerSalesOrderId })}
          note={t("order.deleteText")}
          remove={(headers) => deleteOrder(headers, order.id)}
          onDone={() => {
            if (isShown()) void navigate(ORDERS);
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
