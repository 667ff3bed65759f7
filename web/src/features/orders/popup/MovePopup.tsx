/** changeProccessLine: enter or leave a process with all or some of the pieces. Specification 2, sections 2 and 4. */
import TextArea from "antd/es/input/TextArea";
import Segmented from "antd/es/segmented";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "@/shared/ui/toast";
import { NOTES_MOST } from "../form/values";
import { move } from "../orders.writes";
import { Choices } from "./Choices";
import { Confirm } from "./Confirm";
import { NothingLeft } from "./NothingLeft";
import { PiecesField } from "./PiecesField";
import { PopupFrame, WIDE } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import type { PopupProps } from "./types";
import { useLineWrite } from "./useLineWrite";

/** Who is inside leaves first. */
const TYPES = ["out", "in"] as const;
type MovementType = (typeof TYPES)[number];

export default function MovePopup({ line, prefer, onClose }: PopupProps) {
  const { t } = useTranslation("orders");
  const [wanted, setWanted] = useState<MovementType | null>(prefer ?? null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [typed, setTyped] = useState<number | null>(null);
  const [notes, setNotes] = useState("");
  const { send, busy, race } = useLineWrite(line, move);

  const { movements } = line.actions;
  const types = TYPES.filter((type) => movements.some((movement) => movement.type === type));
  const type = wanted !== null && types.includes(wanted) ? wanted : types[0];
  const offered = movements.filter((movement) => movement.type === type);
  const movement = offered.find(({ productionProcessId }) => productionProcessId === chosen);

  function choose(processId: number | null) {
    setChosen(processId);
    setTyped(null);
  }

  async function accept({ productionProcessId, maxQuantity }: (typeof offered)[number]) {
    if (type === undefined) return;
    const quantity = Math.min(typed ?? maxQuantity, maxQuantity);
    const movementNow = { type, productionProcessId, quantity, notes: notes.trim() };
    const changed = await send(movementNow);
    if (changed === undefined) {
      choose(null);
      return;
    }
    const process = movement?.productionProcessName ?? "";
    const pieces = t("pieces", { count: quantity });
    toast.success(t(type === "in" ? "popup.entered" : "popup.left", { pieces, process }));
    onClose();
  }

  const title = t(type === "out" ? "popup.outTitle" : "popup.inTitle");
  return (
    <PopupFrame line={line} width={WIDE} title={title} onClose={onClose}>
      {race !== null && <RaceNote race={race} line={line} />}
      {type === undefined && <NothingLeft told={race !== null} onClose={onClose} />}
      {type !== undefined && movement === undefined && (
        <>
          {types.length > 1 && (
            <Segmented<MovementType>
              block
              size="large"
              className="ob-popup__types"
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
            onChoose={choose}
          />
        </>
      )}
      {movement !== undefined && (
        <Confirm
          question={t(type === "out" ? "popup.outConfirm" : "popup.inConfirm", {
            process: movement.productionProcessName,
          })}
          busy={busy}
          onCancel={() => choose(null)}
          onAccept={() => void accept(movement)}
        >
          <PiecesField
            value={Math.min(typed ?? movement.maxQuantity, movement.maxQuantity)}
            max={movement.maxQuantity}
            onChange={setTyped}
          />
          <label className="ob-popup__field">
            <span>{t("popup.notes")}</span>
            <TextArea
              value={notes}
              maxLength={NOTES_MOST}
              showCount
              autoSize={{ minRows: 2, maxRows: 5 }}
              onChange={(event) => setNotes(event.target.value)}
            />
          </label>
        </Confirm>
      )}
    </PopupFrame>
  );
}
