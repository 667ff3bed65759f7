/**
 * Scrap pieces at a station: the reason, and optionally the weight and a photo. See
 * infra/docs/rules.md#scrap.
 */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { useShortList } from "@/shared/hooks/useOptions";
import { PhotoField } from "@/shared/picture/PhotoField";
import { useMay } from "@/shared/session/session";
import { ScrapWeights } from "@/entities/weight/ScrapWeights";
import { WeightReason } from "@/entities/weight/WeightReason";
import type { Draft, Opened, Weighs, Worker } from "./types";

interface Reason {
  key: string;
  name: string;
}

/**
 * Return how many pieces the worker may scrap here, for which reasons, and whether they are
 * weighed. Offline, an operator may scrap none, because their permissions are unknown.
 */
export function useScrap({ work, scan }: Opened, worker: Worker, { process }: Station) {
  const may = useMay("ScrapPieces");
  // Load the reasons with the line, so that they are there if the network is lost.
  const reasons: Reason[] = useShortList("scrap-reasons").rows.filter(({ active }) => active);
  const offer = scan?.line.actions.scrap.find(
    ({ productionProcessId }) => productionProcessId === process.productionProcessId,
  );
  const weighs = offer?.weighs ?? work.weighs;
  if (scan === null) {
    return { most: may && worker.operatorToken === null ? work.maxOut : 0, reasons, weighs };
  }
  // `maxOut` is 0 for a worker who may not take pieces out. Then use the number in the server's
  // offer.
  const inside = work.maxOut > 0 || work.waits ? work.maxOut : (offer?.maxQuantity ?? 0);
  return { most: offer === undefined ? 0 : inside, reasons, weighs };
}

/** Large buttons with the reasons. A touch scraps the pieces. */
export function ScrapReasons(props: {
  question: string;
  /** How many pieces a touch scraps. */
  count: number;
  reasons: readonly Reason[];
  disabled: boolean;
  onChoose: (reason: string) => void;
}) {
  const { question, count, reasons, disabled, onChoose } = props;
  const { t } = useTranslation("station");
  return (
    <div className="ob-stack" role="group" aria-label={question}>
      <p className="ob-opened__item">
        {question}. {t("scrap.why", { count })}
      </p>
      {reasons.length === 0 && (
        <p className="ob-note ob-note--warning ob-doubtful ob-large">{t("scrap.noReasons")}</p>
      )}
      <div className="ob-opened__reasons">
        {reasons.map(({ key, name }) => (
          <Button
            key={key}
            block
            danger
            className="ob-opened__over"
            disabled={disabled}
            onClick={() => onChoose(key)}
          >
            {name}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Fields for the details, to be filled in before a reason is touched. */
export function ScrapDetails(props: {
  weighs: Weighs;
  draft: Draft;
  onDraft: (draft: Draft) => void;
}) {
  const { weighs, draft, onDraft } = props;
  return (
    <>
      {weighs !== "no" && (
        <ScrapWeights
          grams={draft.weights.grams}
          otherGrams={draft.weights.otherGrams}
          refused={draft.refused?.message ?? null}
          onChange={(next) =>
            onDraft({ ...draft, weights: { ...draft.weights, ...next }, refused: null })
          }
        />
      )}
      {(draft.refused?.code === "grams_heavier" || draft.weights.weightReason !== "") && (
        <WeightReason
          value={draft.weights.weightReason}
          onChange={(weightReason) =>
            onDraft({ ...draft, weights: { ...draft.weights, weightReason } })
          }
        />
      )}
      <PhotoField value={draft.photo} onChange={(photo) => onDraft({ ...draft, photo })} />
    </>
  );
}
