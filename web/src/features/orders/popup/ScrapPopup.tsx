/** Scrap pieces that are inside a process: choose the process, how many and why, confirm. See infra/docs/rules.md#scrap. */
import TextArea from "antd/es/input/TextArea";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Select } from "@/shared/form/Select";
import { useDraft } from "@/shared/form/draft";
import { DraftNote } from "@/shared/form/notes";
import { problemOf, type Typed } from "@/shared/format/typedNumber";
import { useShortList } from "@/shared/hooks/useOptions";
import { PhotoField } from "@/shared/picture/PhotoField";
import { toast } from "@/shared/ui/toast";
import { ScrapWeights } from "@/entities/weight/ScrapWeights";
import { WeightReason } from "@/entities/weight/WeightReason";
import { areWrong, NO_WEIGHTS, weightRefusal, weightsOf } from "@/entities/weight/weights";
import { NOTES_MOST } from "../form/values";
import { scrap } from "../orders.writes";
import { useSavedLine } from "../useSavedLine";
import { Confirm } from "./Confirm";
import { PiecesField } from "./PiecesField";
import { Choices, draftName, NothingLeft, PopupFrame, WIDE, type PopupProps } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

interface ScrapDraft {
  /** Id of the process. */
  chosen: number | null;
  typed: Typed;
  reason: string | null;
  grams: Typed;
  /** Missing in a draft of an earlier release. */
  otherGrams?: Typed;
  weightReason?: string;
  notes: string;
}

export default function ScrapPopup({ onClose, ...props }: PopupProps) {
  const { t } = useTranslation("orders");
  const { rows: reasons } = useShortList("scrap-reasons");
  const only = props.line.actions.scrap.length === 1 ? props.line.actions.scrap[0] : undefined;
  const draft = useDraft<ScrapDraft>(draftName(props.line, "scrap"), {
    chosen: only?.productionProcessId ?? null,
    typed: 1,
    reason: null,
    grams: null,
    notes: "",
  });
  const {
    chosen,
    typed,
    reason,
    grams,
    notes,
    otherGrams = null,
    weightReason = "",
  } = draft.values;
  const weights = { ...NO_WEIGHTS, grams, otherGrams, weightReason };
  // Not part of the draft, which is kept as text in the browser.
  const [photo, setPhoto] = useState<string | null>(null);
  const savedLine = useSavedLine();
  const { send, busy, race, failure, refusal, forget, line } = useLineWrite(props.line, scrap);
  const offered = line.actions.scrap;
  const process = offered.find(({ productionProcessId }) => productionProcessId === chosen);
  const weighs = process !== undefined && process.weighs !== "no";
  const atWeight = refusal && weightRefusal(refusal);

  function close() {
    draft.drop();
    onClose();
  }

  async function accept(productionProcessId: number, name: string) {
    if (typeof typed !== "number" || reason === null) return;
    const given = {
      ...(weighs && weightsOf(weights, "scrap")),
      ...(photo !== null && { photo }),
    };
    const body = { productionProcessId, quantity: typed, reason, notes: notes.trim(), ...given };
    if ((await send(body)) === undefined) return;
    const pieces = t("pieces", { count: typed });
    toast.saved({ ...savedLine(line), name: t("popup.scrapped", { pieces, process: name }) });
    close();
  }

  function content() {
    if (offered.length === 0) return <NothingLeft explained={race !== null} onClose={close} />;
    if (process === undefined) {
      return (
        <Choices
          label={t("popup.scrapTitle")}
          choices={offered.map((each) => ({
            value: each.productionProcessId,
            label: each.productionProcessName,
            hint: t("popup.upTo", { count: each.maxQuantity }),
          }))}
          onChoose={(next) => draft.change({ chosen: next })}
        />
      );
    }
    const { productionProcessId, productionProcessName: name, maxQuantity } = process;
    const rule = { least: 1, most: maxQuantity };
    const wrong = problemOf(typed, rule) !== null || (weighs && areWrong(weights, "scrap", false));
    return (
      <Confirm
        question={t("popup.scrapConfirm", { process: name })}
        accept={
          wrong
            ? t("popup.scrapAccept")
            : t("popup.scrapPieces", { count: Number(typed), process: name })
        }
        wrong={wrong || reason === null}
        failure={atWeight === null ? failure : null}
        busy={busy}
        onCancel={() => {
          forget();
          if (only === undefined) draft.change({ chosen: null });
          else close();
        }}
        onAccept={() => void accept(productionProcessId, name)}
      >
        <PiecesField
          value={typed}
          rule={rule}
          tooMany={t("popup.outOnly", { count: maxQuantity })}
          onChange={(pieces) => draft.change({ typed: pieces })}
        />
        <label className="ob-stack ob-strong ob-popup__field">
          <span>{t("popup.scrapReason")}</span>
          <Select<string | null>
            size="large"
            popupMatchSelectWidth={false}
            placeholder={t("popup.chooseReason")}
            value={reason}
            options={reasons
              .filter(({ active }) => active)
              .map(({ key, name: called }) => ({ value: key, label: called }))}
            onChange={(key) => draft.change({ reason: key })}
          />
        </label>
        {weighs && (
          <div className="ob-popup__field">
            <ScrapWeights
              grams={grams}
              otherGrams={otherGrams}
              refused={atWeight?.message ?? null}
              onChange={(weighed) => {
                forget();
                draft.change(weighed);
              }}
            />
          </div>
        )}
        {(atWeight?.code === "grams_heavier" || weightReason !== "") && (
          <WeightReason
            value={weightReason}
            onChange={(why) => draft.change({ weightReason: why })}
          />
        )}
        <PhotoField value={photo} onChange={setPhoto} />
        <label className="ob-stack ob-strong ob-popup__field">
          <span>{t("popup.notes")}</span>
          <TextArea
            value={notes}
            maxLength={NOTES_MOST}
            showCount
            autoSize={{ minRows: 2, maxRows: 5 }}
            onChange={(event) => draft.change({ notes: event.target.value })}
          />
        </label>
      </Confirm>
    );
  }

  return (
    <PopupFrame line={line} width={WIDE} title={t("popup.scrapTitle")} busy={busy} onClose={close}>
      {draft.restored && <DraftNote onDrop={draft.drop} />}
      {race !== null && <RaceNote race={race} line={line} />}
      {content()}
    </PopupFrame>
  );
}
