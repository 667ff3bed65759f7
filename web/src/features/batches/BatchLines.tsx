/**
 * The lines of a batch, each with a button that takes it off. Taking a line off the batch does not
 * move its pieces.
 */
import CloseOutlined from "@ant-design/icons/es/icons/CloseOutlined";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Batch, BatchLine } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useAnswers } from "@/shared/http/data";
import { at, BATCH, BATCH_LINES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import { scannedPath } from "@/entities/scanning/openLine";
import { useMay } from "@/shared/session/session";
import { Refused } from "@/shared/ui/Refused";
import { EmptyState } from "@/shared/ui/states";
import { isUnanswered, rowOf, takeOff } from "./batches.api";
import "./batches.css";

interface Props {
  batch: Batch;
  mayTakeOff: boolean;
}

export function BatchLines({ batch, mayTakeOff }: Props) {
  const { t } = useTranslation("batches");
  const language = useLanguage();
  const { reload } = useAnswers();
  const readsOrders = useMay("ListSalesOrders");
  const readsLines = useMay("ListOrders");
  const { submit, busy } = useSubmit(takeOff);

  async function remove(line: BatchLine) {
    try {
      await submit(batch, line);
    } catch {
      void reload(at(BATCH, { batch_id: batch.id }));
    }
    void reload(at(BATCH_LINES));
  }

  const nameOf = ({ customerSalesOrderId: po, position }: BatchLine) => t("line", { po, position });
  return (
    <section className="ob-surface ob-padded" aria-labelledby="batch-lines">
      <h2 className="ob-below" id="batch-lines">
        {t("lines", { count: batch.lines.length })} · {t("pieces", { count: batch.quantity })}
      </h2>
      {batch.lines.length === 0 && (
        <EmptyState drawing="ring" title={t("noLines")} hint={t("noLinesHint")} />
      )}
      <ul className="ob-ruled">
        {batch.lines.map((line) => (
          <li key={line.id} className="ob-bar ob-batch-line">
            <Thumb address={line.thumbnail} />
            <span className="ob-stack ob-stack--tight ob-fill">
              <strong className="ob-breaks">
                {readsOrders || readsLines ? (
                  <Link to={scannedPath(line.salesOrderId, line.position)}>{nameOf(line)}</Link>
                ) : (
                  nameOf(line)
                )}
              </strong>
              <span className="ob-breaks">
                {line.itemKey} · {line.itemName}
              </span>
              <span className="ob-quiet ob-small ob-breaks">
                {line.customerName}
                {line.netGrams !== null && ` · ${t("each", { grams: line.netGrams })}`}
                {line.lineStatus === "Canceled" && (
                  <em className="ob-wrong"> {t("lineCanceled")}</em>
                )}
              </span>
              <Refused of={rowOf(line)} />
            </span>
            <span className="ob-nowrap ob-large ob-strong">
              {formatNumber(line.quantity, language)}
            </span>
            {mayTakeOff && !isUnanswered(line) && (
              <button
                type="button"
                className="ob-icon-button ob-batch-line__off"
                disabled={busy}
                aria-label={t("takeOff", { line: nameOf(line) })}
                title={t("takeOff", { line: nameOf(line) })}
                onClick={() => void remove(line)}
              >
                <CloseOutlined aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
