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
import { toast } from "@/shared/ui/toast";
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
}

export default function MovePopup(props: PopupProps) {
  const prefer = props.prefer === "Done" ? undefined : props.prefer;
  const { t } = useTranslation("orders");
  const [wanted, setWanted] = useState<MovementType | null>(prefer ?? null);
  const draft = useDraft<MoveDraft>(draftName(props.line, prefer ?? "move"), {
    chosen: null,
    typed: null,
    notes: "",
  });
  const { chosen, typed, notes } = draft.values;
  const savedLine = useSavedLine();
  const { send, busy, race, failure, forget, line } = useLineWrite(props.line, move);

  const { movements } = line.actions;
  const types = TYPES.filter((type) => movements.some((movement) => movement.type === type));
  const type = chosen?.type ?? (wanted !== null && types.includes(wanted) ? wanted : types[0]);
  const offered = movements.filter((movement) => movement.type === type);
  const most = (processId: number | undefined) =>
    offered.find(({ productionProcessId }) => productionProcessId === processId)?.maxQuantity ?? 0;
  const left = most(chosen?.productionProcessId);
  const rule = { least: 1, most: left };
  const wrong = problemOf(typed, rule) !== null;

  function choose(next: Chosen | null) {
    forget();
    draft.change({
      chosen: next,
      typed: next === null ? null : most(next.productionProcessId),
    });
  }

  function close() {
    draft.drop();
    props.onClose();
  }

  async function accept({ productionProcessId, process, ...what }: Chosen) {
    if (typeof typed !== "number") return;
    const movement = { type: what.type, productionProcessId, quantity: typed, notes: notes.trim() };
    if ((await send(movement)) === undefined) return;
    const pieces = t("pieces", { count: typed });
    const name = t(what.type === "in" ? "popup.entered" : "popup.left", { pieces, process });
    toast.saved({ ...savedLine(line), name });
    close();
  }

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
              : t(`popup.${chosen.type}Pieces`, { count: Number(typed), process: chosen.process })
          }
          wrong={wrong}
          failure={failure}
          busy={busy}
          onCancel={() => choose(null)}
          onAccept={() => void accept(chosen)}
        >
          <PiecesField
            value={typed}
            rule={rule}
            tooMany={t(`popup.${chosen.type}Only`, { count: left })}
            onChange={(pieces) => draft.change({ typed: pieces })}
          />
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
