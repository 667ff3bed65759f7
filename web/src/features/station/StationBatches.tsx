/**
 * The batches of the station's process, each as one card. A press moves all lines of a batch
 * together.
 */
import { useTranslation } from "react-i18next";
import type { BatchCard, Station } from "@/contract";
import type { Side } from "@/entities/batches/batches.api";
import { MoveBatch } from "@/entities/batches/MoveBatch";
import { useBatchTitle } from "@/entities/batches/useBatchTitle";
import { formatNumber } from "@/shared/format/numbers";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { at, BATCH, BATCH_CARDS, STATION } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { RecordGone } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { forgetOperator, operatorWorked } from "./operator";
import { nameOf } from "./station.api";
import type { Show, Worker } from "./types";
import "./opened.css";
import "./WorkList.css";

/**
 * The pressed batch and the direction. Both stay, even if somebody else moves the batch in the
 * meantime.
 */
export interface PressedBatch {
  id: number;
  side: Side;
}

const SIDES: Record<string, Side | undefined> = { open: "in", inside: "out" };

interface Props {
  station: Station;
  /** The batches of this process. */
  batches: readonly BatchCard[];
  onPress: (pressed: PressedBatch) => void;
}

export function StationBatches({ station, batches, onPress }: Props) {
  const { t } = useTranslation("batches");
  const language = useLanguage();
  const titleOf = useBatchTitle();
  const { active, productionProcessName: process } = station.process;
  const shown = batches.flatMap((batch) => {
    const side = SIDES[batch.state];
    const mayMove = side === "out" || (side === "in" && active && batch.lines.length > 0);
    return side !== undefined && mayMove ? [{ ...batch, side }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <section className="ob-station__list" aria-labelledby="batches">
      <h2 id="batches">
        {t("station.title")} <span>{shown.length}</span>
      </h2>
      <ul className="ob-stack">
        {shown.map(({ id, number, name, lines, quantity, side }) => (
          <li key={id}>
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its words are deeper than the rule looks */}
            <button
              type="button"
              className="ob-bar ob-surface ob-work"
              onClick={() => onPress({ id, side })}
            >
              <span className="ob-stack ob-stack--tight ob-fill">
                <span className="ob-words ob-work__head">
                  <strong className="ob-breaks">{titleOf({ number, name })}</strong>
                  <span>{t("lines", { count: lines.length })}</span>
                </span>
                <span className="ob-breaks">
                  {t(`press.${side}`, { count: quantity, process })}
                </span>
              </span>
              <span className="ob-work__pieces">
                <strong>{formatNumber(quantity, language)}</strong>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface OpenedProps {
  pressed: PressedBatch;
  worker: Worker;
  show: Show;
  onClose: () => void;
}

/** The dialog of the pressed batch. It works only online: movements of batches are not queued. */
export function OpenedBatch({ pressed, worker, show, onClose }: OpenedProps) {
  const { t } = useTranslation("batches");
  const { reload } = useAnswers();
  const { id, side } = pressed;
  const { data: batch, error, mutate } = useAnswer(BATCH, { path: { batch_id: id } });
  if (batch === undefined) {
    return error === undefined ? null : <RecordGone error={error} onClose={onClose} />;
  }
  return (
    <MoveBatch
      batch={batch}
      side={side}
      sentAs={nameOf(worker)}
      buttonClass="ob-station__button"
      mainClass={`ob-opened__press ob-opened__press--${side}`}
      onDone={(moved) => {
        show("yes");
        operatorWorked(worker);
        const process = moved.productionProcessName;
        toast.success(t(`moved.${side}`, { count: moved.quantity, process }));
        void reload((key) => at(BATCH_CARDS)(key) || at(STATION)(key));
        onClose();
      }}
      onRefused={({ code, isConflict }) => {
        show("no");
        if (code === "operator_over") forgetOperator();
        if (isConflict) void mutate();
      }}
      onClose={onClose}
    />
  );
}
