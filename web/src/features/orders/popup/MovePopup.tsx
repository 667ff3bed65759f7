/**
 * Move all or some of the pieces into or out of a process (`changeProccessLine`). See
 * infra/docs/rules.md#movements.
 */
import TextArea from "antd/es/input/TextArea";
import Segmented from "antd/es/segmented";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDraft } from "@/shared/form/draft";
import { DraftNote } from "@/shared/form/notes";
import { problemOf, type Typed } from "@/shared/format/typedNumber";
import { useShortList } from "@/shared/hooks/useOptions";
import { mostOfPart, partOf, partProblem, type PartDraft } from "@/entities/scrapping/part";
import { ScrapPart } from "@/entities/scrapping/ScrapPart";
import { useSignedIn } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { useLossText } from "@/entities/weight/LossNote";
import { scale } from "@/entities/weight/scale";
import {
  areWrong,
  expectedLoss,
  gramsThatEntered,
  isOver,
  lossOfExit,
  netOf,
  NO_WEIGHTS,
  weightRefusal,
  weightsOf,
  type WeightDraft,
  type Weights,
} from "@/entities/weight/weights";
import { WeightFields } from "@/entities/weight/WeightFields";
import { NOTES_MOST } from "../form/values";
import { move } from "../orders.writes";
import { useSavedLine } from "../useSavedLine";
import { Confirm } from "./Confirm";
import { PiecesField } from "./PiecesField";
import { Choices, draftName, NothingLeft, PopupFrame, WIDE, type PopupProps } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

/** Exits come first. */
const TYPES = ["out", "in"] as const;
type MovementType = (typeof TYPES)[number];

/** The movement that the user chose. It stays, even if the line changes in the meantime. */
interface Chosen {
  type: MovementType;
  productionProcessId: number;
  process: string;
}

interface MoveDraft {
  chosen: Chosen | null;
  typed: Typed;
  notes: string;
  /** Missing in a draft of an earlier release. */
  weights?: WeightDraft;
  /** Which of the leaving pieces are scrapped by the same press. */
  part?: PartDraft | null;
}

const LOSS_SECONDS = 8;

export default function MovePopup(props: PopupProps) {
  const prefer = props.prefer === "Done" ? undefined : props.prefer;
  const { t } = useTranslation("orders");
  const [wanted, setWanted] = useState<MovementType | null>(prefer ?? null);
  const draft = useDraft<MoveDraft>(draftName(props.line, prefer ?? "move"), {
    chosen: null,
    typed: null,
    notes: "",
  });
  const { chosen, typed, notes, weights = NO_WEIGHTS } = draft.values;
  // Not part of the draft, which is kept as text in the browser.
  const [photo, setPhoto] = useState<string | null>(null);
  const typedPart = draft.values.part ?? null;
  const part = typedPart && { ...typedPart, photo };
  const { rows: reasons } = useShortList("scrap-reasons");
  const savedLine = useSavedLine();
  const me = useSignedIn().user.id;
  const textOfLoss = useLossText();
  const { send, busy, race, failure, refusal, forget, line } = useLineWrite(props.line, move);

  const { movements } = line.actions;
  const types = TYPES.filter((type) => movements.some((movement) => movement.type === type));
  const type = chosen?.type ?? (wanted !== null && types.includes(wanted) ? wanted : types[0]);
  const offered = movements.filter((movement) => movement.type === type);
  const offerOf = (processId: number | undefined) =>
    offered.find(({ productionProcessId }) => productionProcessId === processId);
  const most = (processId: number | undefined) => offerOf(processId)?.maxQuantity ?? 0;
  const left = most(chosen?.productionProcessId);
  const rule = { least: 1, most: left };
  const weighs = offerOf(chosen?.productionProcessId)?.weighs ?? "no";
  const mayScrap =
    line.actions.scrap.find((one) => one.productionProcessId === chosen?.productionProcessId)
      ?.maxQuantity ?? 0;
  const pieces = typeof typed === "number" ? typed : 0;
  const isPartWrong = partProblem(part, mostOfPart(pieces, mayScrap)) !== null;
  const scrapped = isPartWrong ? undefined : partOf(part, weighs !== "no");
  const good = pieces - (scrapped?.quantity ?? 0);
  const exit =
    chosen?.type === "out" && typeof typed === "number"
      ? { processId: chosen.productionProcessId, pieces, by: me, part: scrapped }
      : null;
  const atWeight = refusal && weightRefusal(refusal);

  function choose(next: Chosen | null) {
    forget();
    draft.change({
      chosen: next,
      typed: next === null ? null : most(next.productionProcessId),
      weights: NO_WEIGHTS,
      part: null,
    });
  }

  function close() {
    draft.drop();
    props.onClose();
  }

  async function accept({ productionProcessId, process, ...what }: Chosen) {
    if (typeof typed !== "number") return;
    const movement = { type: what.type, productionProcessId, quantity: typed, notes: notes.trim() };
    const sent: Weights = weighs === "no" ? {} : weightsOf(weights, what.type);
    const scrap = scrapped === undefined ? {} : { scrap: scrapped };
    const moved = await send({ ...movement, ...sent, ...scrap });
    if (moved === undefined) return;
    scale.use();
    const name = [
      t(what.type === "in" ? "popup.entered" : "popup.left", {
        pieces: t("pieces", { count: good }),
        process,
      }),
      ...(scrapped === undefined
        ? []
        : [t("popup.scrapped", { pieces: t("pieces", { count: scrapped.quantity }), process })]),
    ].join(" · ");
    toast.saved({ ...savedLine(line), name });
    const isWeighedExit = what.type === "out" && sent.grams !== undefined;
    const loss = isWeighedExit ? lossOfExit(moved.productionProcesses, productionProcessId) : null;
    if (loss !== null) toast[isOver(loss) ? "warning" : "note"](textOfLoss(loss), LOSS_SECONDS);
    close();
  }

  const wrong =
    problemOf(typed, rule) !== null ||
    isPartWrong ||
    (chosen !== null && weighs !== "no" && areWrong(weights, chosen.type, weighs === "required"));
  const title = t(type === "in" ? "popup.inTitle" : "popup.outTitle");
  return (
    <PopupFrame line={line} width={WIDE} title={title} busy={busy} onClose={close}>
      {draft.restored && <DraftNote onDrop={draft.drop} />}
      {race !== null && (
        <RaceNote
          race={race}
          line={line}
          left={chosen === null ? undefined : t(`race.left.${chosen.type}`, { count: left })}
        />
      )}
      {type === undefined && <NothingLeft explained={race !== null} onClose={close} />}
      {type !== undefined && chosen === null && (
        <>
          {types.length > 1 && (
            <Segmented<MovementType>
              block
              size="large"
              className="ob-below"
              aria-label={t("popup.direction")}
              value={type}
              options={types.map((value) => ({ value, label: t(`popup.${value}`) }))}
              onChange={setWanted}
            />
          )}
          <Choices
            label={title}
            choices={offered.map((each) => ({
              value: each.productionProcessId,
              label: each.productionProcessName,
              hint: t("popup.upTo", { count: each.maxQuantity }),
            }))}
            onChoose={(productionProcessId) => {
              const each = offered.find((one) => one.productionProcessId === productionProcessId);
              const process = each?.productionProcessName ?? "";
              choose({ type, productionProcessId, process });
            }}
          />
        </>
      )}
      {chosen !== null && (
        <Confirm
          question={t(`popup.${chosen.type}Confirm`, { process: chosen.process })}
          accept={
            wrong
              ? t(`popup.${chosen.type}Accept`, { process: chosen.process })
              : scrapped === undefined
                ? t(`popup.${chosen.type}Pieces`, { count: pieces, process: chosen.process })
                : t("popup.outPart", {
                    count: good,
                    process: chosen.process,
                    scrapped: scrapped.quantity,
                  })
          }
          wrong={wrong}
          failure={atWeight === null ? failure : null}
          busy={busy}
          onCancel={() => choose(null)}
          onAccept={() => void accept(chosen)}
        >
          <PiecesField
            value={typed}
            rule={rule}
            tooMany={t(`popup.${chosen.type}Only`, { count: left })}
            onChange={(next) => draft.change({ typed: next })}
          />
          {weighs !== "no" && (
            <WeightFields
              type={chosen.type}
              required={weighs === "required"}
              value={weights}
              refused={atWeight}
              entered={exit && gramsThatEntered(line.productionProcesses, exit)}
              good={scrapped && good}
              loss={exit && expectedLoss(line.productionProcesses, exit, netOf(weights, "out"))}
              onChange={(next) => {
                forget();
                draft.change({ weights: next });
              }}
            />
          )}
          {chosen.type === "out" && (
            <ScrapPart
              value={part}
              leaving={pieces}
              mayScrap={mayScrap}
              reasons={reasons.filter(({ active }) => active)}
              weighs={weighs !== "no"}
              onChange={(next) => {
                setPhoto(next?.photo ?? null);
                draft.change({ part: next && { ...next, photo: null } });
              }}
            />
          )}
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
      )}
    </PopupFrame>
  );
}
