/**
 * Undo the user's own last entry or exit. Asks which one if there are several. See
 * infra/docs/rules.md#undo.
 */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { formatTime } from "@/shared/format/plant";
import { toast } from "@/shared/ui/toast";
import type { UndoOffer } from "../line/UndoButton";
import { undo } from "../orders.writes";
import { Confirm, Failure } from "./Confirm";
import { Choices, NARROW, NothingLeft, PopupFrame, type PopupProps } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

export default function UndoPopup({ onClose, ...props }: PopupProps) {
  const { t } = useTranslation("orders");
  const { send, busy, race, failure, forget, line } = useLineWrite(props.line, undo);
  const offered = line.actions.undo;
  const only = offered.length === 1 ? offered[0] : undefined;
  const [chosen, setChosen] = useState<number | null>(only?.recordId ?? null);
  const movement = offered.find(({ recordId }) => recordId === chosen);

  function said(offer: UndoOffer): string {
    const { side, scrapped, quantity, productionProcessName: process } = offer;
    const lost = scrapped ? scrappedBy(offer, line) : 0;
    if (lost > 0 && lost < quantity) {
      const pieces = t("pieces", { count: quantity - lost });
      return t("undo.part", { pieces, process, scrapped: t("pieces", { count: lost }) });
    }
    const name = scrapped ? "undo.scrap" : side === "in" ? "undo.entry" : "undo.exit";
    return t(name, { pieces: t("pieces", { count: quantity }), process });
  }

  async function accept(offer: UndoOffer) {
    if ((await send(offer)) === undefined) return;
    toast.success(t("undo.done", { movement: said(offer) }));
    onClose();
  }

  return (
    <PopupFrame line={line} width={NARROW} title={t("undo.title")} busy={busy} onClose={onClose}>
      {race !== null && <RaceNote race={race} line={line} />}
      {movement === undefined && failure !== null && <Failure text={failure} />}
      {offered.length === 0 && <NothingLeft explained={race !== null} onClose={onClose} />}
      {offered.length > 0 && movement === undefined && (
        <Choices
          label={t("undo.title")}
          choices={offered.map((offer) => ({
            value: offer.recordId,
            label: said(offer),
            hint: t("undo.until", { time: formatTime(offer.until) }),
          }))}
          onChoose={setChosen}
        />
      )}
      {movement !== undefined && (
        <Confirm
          question={t("undo.confirm", { movement: said(movement) })}
          busy={busy}
          failure={failure}
          onCancel={() => {
            forget();
            if (only === undefined) setChosen(null);
            else onClose();
          }}
          onAccept={() => void accept(movement)}
        >
          {movement.lines > 1 && <p>{t("undo.lines", { count: movement.lines })}</p>}
          <p className="ob-quiet ob-below ob-breaks">{t("undo.text")}</p>
        </Confirm>
      )}
    </PopupFrame>
  );
}

/** How many pieces the press of an offer scrapped; 0 if the caller may not read the history. */
const scrappedBy = ({ press }: UndoOffer, { productionProcesses }: Line): number =>
  productionProcesses
    .filter((record) => press !== null && record.press === press && record.scrapReason !== null)
    .reduce((sum, { quantity }) => sum + quantity, 0);
