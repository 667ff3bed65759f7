/**
 * Edit the lines of a saved order in the grid. Shows what others change in the meantime and keeps
 * typed values.
 */
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import type { SalesOrder } from "@/contract";
import { readDraft, useKeptDraft } from "@/shared/form/draft";
import { FormBody, FormScope, SendButton } from "@/shared/form/FormParts";
import { DraftNote, StaleNote } from "@/shared/form/notes";
import { useLeaveGuard } from "@/shared/form/useLeaveGuard";
import { isFine } from "@/shared/hooks/focus";
import { useIsShown, useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { ORDERS_AND_LINES } from "@/shared/http/keys";
import { useSignedIn } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { Place } from "./form/LineGrid";
import {
  NO_DATES,
  firstWrong,
  fromDraft,
  isBlank,
  withoutPictures,
  type GridLine,
} from "./form/lines";
import { OrderLines, placeOfFirst, refusedLines, type RefusedLines } from "./form/OrderLines";
import { conflictsOf, lineChanges, onTopOf, savedLines, type Conflict } from "./form/savedLines";
import { useLines } from "./form/useLines";
import { useOfferedDays } from "./form/useOfferedDays";
import { useSheets, type KeptSheet } from "./form/useSheets";
import { fieldWord } from "./form/values";
import { loadOrder, useOrder } from "./orders.api";
import { updateOrder } from "./orders.writes";
import { orderPath } from "./paths";
import { picturesOf } from "./pictures/linePictures";
import { sendPictures } from "./pictures/sendingPictures";
import { useLastChange } from "./useLastChange";
import "@/shared/form/page.css";
import "./form/form.css";

export default function EditLinesPage() {
  const { t } = useTranslation("orders");
  const orderId = Number(useParams()["id"]);
  const { data: order, error, mutate } = useOrder(orderId);
  if (order?.actions.edit === true) return <EditLines key={orderId} order={order} />;
  return (
    <div className="ob-page">
      {order !== undefined && (
        <div className="ob-surface">
          <EmptyState title={t("form.notAllowedToChange")} />
        </div>
      )}
      {error !== undefined && <LoadFailed error={error} onRetry={() => void mutate()} />}
    </div>
  );
}

/** The typed lines, and the saved lines that they are based on. */
interface Draft {
  items: GridLine[];
  over: GridLine[];
  sheets?: KeptSheet[];
}

function EditLines({ order }: { order: SalesOrder }) {
  const { t } = useTranslation(["orders", "shared", "forms"]);
  const navigate = useNavigate();
  const isShown = useIsShown();
  const { afterWrite } = useAnswers();
  const userId = useSignedIn().user.id;
  const draftName = `order/${order.id}/lines`;
  const [form] = Form.useForm();
  const [draft, setDraft] = useState(() => readDraft<Draft>(draftName, userId));
  const [typed, setTyped] = useState(draft !== null);
  // The saved lines that this form is based on. Live changes must not replace them while the user
  // types.
  const [known, setKnown] = useState(() => draft?.over ?? savedLines(order));
  const { lines, actions, now, settled } = useLines(
    draft === null ? known : fromDraft(draft).items,
    onTyped,
  );
  const offered = useOfferedDays(lines);
  const pasted = useSheets(draft?.sheets ?? [], onTyped);
  const kept = useKeptDraft(draftName, () =>
    withoutPictures({ items: [...now()], over: known, sheets: pasted.now() }),
  );
  const guard = useLeaveGuard(typed, kept.forget);
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<RefusedLines>([]);
  // Start at the first empty line, where new lines are written.
  const [goTo, setGoTo] = useState<Place | null>(() =>
    isFine() ? { row: lines.findIndex(isBlank), col: "item" } : null,
  );
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const lastChange = useLastChange(order.id);
  const po = order.customerSalesOrderId;

  function onTyped() {
    setTyped(true);
    kept.keepSoon();
  }

  function startOver() {
    const fresh = savedLines(order);
    setKnown(fresh);
    actions.replace(fresh);
    pasted.clear();
    kept.forget();
    setDraft(null);
    setTyped(false);
    setConflicts([]);
  }

  /**
   * Return the changes to send, or null if others changed the same fields. The form is then based
   * on the newest lines and shows the conflicts.
   */
  function changesOver(current: SalesOrder, all: readonly GridLine[]) {
    const fresh = savedLines(current);
    const both = conflictsOf(all, known, fresh);
    if (both.length === 0) return lineChanges(all, known, offered);
    actions.replace(onTopOf(all, known, fresh));
    setKnown(fresh);
    setConflicts(both);
    return null;
  }

  const { submit, busy } = useSubmit(async (headers, all: readonly GridLine[]) => {
    const current = await loadOrder(order.id);
    const items = changesOver(current, all);
    if (items === null) return undefined;
    return items.length === 0 ? current : updateOrder(headers, current, { items });
  });

  async function onFinish() {
    const all = await settled();
    setTried(true);
    const wrong = firstWrong(all);
    if (wrong !== null) {
      toast.error(t("forms:fix"));
      setGoTo(wrong);
      return;
    }
    const left = pasted.countToWarnOf();
    if (left > 0) {
      toast.warning(t("sheet.leftOnSave", { count: left }));
      return;
    }
    try {
      const saved = await submit(all);
      if (saved === undefined) return;
      const added = all.filter((line) => line.position === undefined && !isBlank(line));
      afterWrite(ORDERS_AND_LINES);
      kept.end();
      toast.saved({ name: t("order.title", { po }), path: orderPath(order.id) });
      sendPictures(picturesOf(saved, added, saved.items.length - added.length + 1), userId);
      leave();
    } catch (reason) {
      if (asApiError(reason).status === 412) toast.error(t("form.changedMeanwhile"));
      else toastError(reason);
      const sent = all.filter((line) => lineChanges([line], known).length > 0);
      const on = refusedLines(reason, sent);
      setRefused(on);
      setGoTo(placeOfFirst(on, all));
    }
  }

  function leave() {
    guard.release();
    if (isShown()) void navigate(orderPath(order.id));
  }

  return (
    <div className="ob-page ob-new-order">
      <BackLink to={orderPath(order.id)}>{t("order.title", { po })}</BackLink>
      <PageTitle title={t("order.linesTitle", { po })} tab={po} />
      {draft !== null && <DraftNote onDrop={startOver} />}
      <StaleNote
        who={lastChange}
        rows={conflicts.map(({ position, field, before, now: current }) => ({
          label: [t("line.title", { position }), t(fieldWord(field))].join(" · "),
          before,
          now: current,
        }))}
      />
      <FormScope>
        <FormBody form={form} busy={busy} onFinish={() => void onFinish()}>
          <section className="ob-surface ob-section" aria-labelledby="order-lines">
            <h2 id="order-lines">{t("form.lines")}</h2>
            <OrderLines
              lines={lines}
              dates={NO_DATES}
              tried={tried}
              refused={refused}
              offered={offered}
              actions={actions}
              pasted={pasted}
              goTo={goTo}
              onGoTo={setGoTo}
            />
          </section>
          <footer className="ob-form-bar">
            <Button onClick={() => void navigate(orderPath(order.id))}>
              {t("shared:action.cancel")}
            </Button>
            <SendButton loading={busy} onClick={form.submit}>
              {conflicts.length > 0 ? t("forms:stale.again") : t("form.saveLines")}
            </SendButton>
          </footer>
        </FormBody>
      </FormScope>
      {guard.question}
    </div>
  );
}
