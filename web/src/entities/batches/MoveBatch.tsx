/**
 * Move a batch in or out with one press and one weighing. If lines are refused, the user may move
 * the batch without them.
 */
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import Modal from "antd/es/modal";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Batch, BatchMove } from "@/contract";
import { useFormKeys } from "@/shared/form/useFormKeys";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { Thumb } from "@/shared/picture/Thumb";
import { errorText } from "@/shared/ui/errors";
import { TALL_DIALOG } from "@/shared/ui/tallDialog";
import { scale } from "@/entities/weight/scale";
import { WeightFields } from "@/entities/weight/WeightFields";
import {
  areWrong,
  lossOf,
  netOf,
  NO_WEIGHTS,
  weightRefusal,
  weightsOf,
  type Loss,
  type WeightDraft,
} from "@/entities/weight/weights";
import { moveBatch, refusedLines, type RefusedLine, type Side } from "./batches.api";
import { useBatchTitle } from "./useBatchTitle";
import "@/shared/form/form.css";
import "./batches.css";

interface Props {
  batch: Batch;
  side: Side;
  /** Headers that send the call as the worker at a station. */
  sentAs?: Record<string, string>;
  /** Classes of the buttons, and of the one that moves. At a station they are large enough for a glove. */
  buttonClass?: string;
  mainClass?: string;
  /** Called with the batch as it is after the press, and with the key that undoes the press. */
  onDone: (moved: Batch, key: string) => void;
  /** Called when a press was refused. */
  onRefused?: (error: ApiError) => void;
  onClose: () => void;
}

const NOTES_MOST = 200;
const WIDTH = 560;

export function MoveBatch(props: Props) {
  const { batch, side, sentAs = {}, onDone, onRefused, onClose } = props;
  const { buttonClass = "", mainClass = "" } = props;
  const { t } = useTranslation(["batches", "shared"]);
  const titleOf = useBatchTitle();
  useFocusBack();
  const form = useRef<HTMLFormElement>(null);
  const [weights, setWeights] = useState(NO_WEIGHTS);
  const [notes, setNotes] = useState("");
  const [refused, setRefused] = useState<readonly RefusedLine[]>([]);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const { submit, busy } = useSubmit(async (headers, body: BatchMove) => ({
    moved: await moveBatch({ ...headers, ...sentAs }, batch, side, body),
    key: headers["Idempotency-Key"],
  }));

  const isOut = (id: number) => refused.some(({ lineId }) => lineId === id);
  const moving = batch.lines.filter(({ id }) => !isOut(id));
  const count = moving.reduce((sum, { quantity }) => sum + quantity, 0);
  const process = batch.productionProcessName;
  const weighs = batch.weighs !== "no" && count > 0;
  const required = batch.weighs === "required";
  const atWeight = failure && weightRefusal(failure);
  // Allow to take out a batch even if none of its lines can move. Else it would stay inside
  // forever.
  const mayPress = (count > 0 || side === "out") && !(weighs && areWrong(weights, side, required));

  async function press() {
    if (busy || !mayPress) return;
    setFailure(null);
    const leaveOut = batch.lines.flatMap(({ id }) => (isOut(id) ? id : []));
    try {
      const done = await submit({
        ...(weighs ? weightsOf(weights, side) : {}),
        notes: notes.trim(),
        leaveOut,
      });
      if (done === undefined) return;
      scale.use();
      onDone(done.moved, done.key);
    } catch (reason) {
      const error = asApiError(reason);
      const found = refusedLines(error);
      if (found.length > 0) setRefused([...refused, ...found]);
      else setFailure(error);
      onRefused?.(error);
    }
  }

  const keys = useFormKeys(
    () => form.current,
    busy,
    () => void press(),
  );
  return (
    <Modal
      open
      centered
      width={WIDTH}
      styles={TALL_DIALOG}
      title={titleOf(batch)}
      closable={{ "aria-label": t("shared:action.close"), disabled: busy }}
      footer={null}
      onCancel={() => {
        if (!busy) onClose();
      }}
    >
      <form
        ref={form}
        className="ob-stack ob-stack--wide"
        {...keys}
        onSubmit={(event) => {
          event.preventDefault();
          void press();
        }}
      >
        <p className="ob-large">
          {t("lines", { count: batch.lines.length })} · {t("pieces", { count: batch.quantity })}
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll it */}
        <ul className="ob-batch-pictures" aria-label={t("onIt")} tabIndex={0}>
          {batch.lines.map((line) => (
            <li key={line.id} className="ob-bar">
              <Thumb address={line.thumbnail} />
              <span className="ob-stack ob-stack--tight ob-fill ob-breaks">
                <strong>
                  {t("line", { po: line.customerSalesOrderId, position: line.position })}
                </strong>
                <span>{line.itemName}</span>
                <span className="ob-nowrap">{t("pieces", { count: line.quantity })}</span>
              </span>
            </li>
          ))}
        </ul>
        {side === "in" && batch.wantedGrams !== null && (
          <p className="ob-note ob-large">
            {t("wanted")}: <strong>{t("grams", { grams: batch.wantedGrams })}</strong>
            <small className="ob-quiet"> {t("wantedHow")}</small>
          </p>
        )}
        {weighs && (
          <WeightFields
            type={side}
            required={required}
            value={weights}
            refused={atWeight}
            entered={side === "out" && refused.length === 0 ? batch.issuedGrams : null}
            loss={side === "out" && refused.length === 0 ? expectedLoss(batch, weights) : null}
            onChange={(next) => {
              setFailure(null);
              setWeights(next);
            }}
          />
        )}
        <label className="ob-stack ob-strong">
          <span>{t("notes")}</span>
          <Input
            value={notes}
            maxLength={NOTES_MOST}
            onChange={({ target }) => setNotes(target.value)}
          />
        </label>
        {refused.length > 0 && <Refused batch={batch} lines={refused} />}
        {failure !== null && atWeight === null && (
          <p className="ob-note ob-note--danger" role="alert">
            {errorText(failure)}
          </p>
        )}
        <div className="ob-row ob-end ob-batch-buttons">
          <Button size="large" className={buttonClass} disabled={busy} onClick={onClose}>
            {t("shared:action.close")}
          </Button>
          {(count > 0 || side === "out") && (
            <Button
              size="large"
              type="primary"
              htmlType="submit"
              className={`${buttonClass} ${mainClass}`}
              loading={busy}
              disabled={!mayPress}
            >
              {refused.length === 0
                ? t(`press.${side}`, { count, process })
                : t(`press.leaveOut.${side}`, { count: refused.length, pieces: count })}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  );
}

/** Compute the loss of the batch if all of its lines come out; null if it is unknown. */
function expectedLoss({ issuedGrams, allowedLoss }: Batch, draft: WeightDraft): Loss | null {
  const { grams, otherGrams = 0, scrapGrams = 0, addedGrams = 0 } = netOf(draft, "out");
  if (grams === undefined || issuedGrams === null) return null;
  const gramsIn = issuedGrams + addedGrams;
  return lossOf(gramsIn - (grams - otherGrams) - scrapGrams, gramsIn, allowedLoss);
}

/** The lines that cannot be moved, each with its reason. The button says that they are left out. */
function Refused({ batch, lines }: { batch: Batch; lines: readonly RefusedLine[] }) {
  const { t } = useTranslation("batches");
  return (
    <div className="ob-note ob-note--warning" role="alert">
      <p className="ob-strong">{t("refused", { count: lines.length })}</p>
      <ul className="ob-dots">
        {lines.map(({ lineId, message }) => {
          const line = batch.lines.find(({ id }) => id === lineId);
          return (
            <li key={lineId} className="ob-breaks">
              {line !== undefined && (
                <strong>
                  {t("line", { po: line.customerSalesOrderId, position: line.position })}
                </strong>
              )}{" "}
              {message}
            </li>
          );
        })}
      </ul>
      <p>{t("refusedHint")}</p>
    </div>
  );
}
