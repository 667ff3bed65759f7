/**
 * Change the status of a line (`changeStatusLine`): choose, confirm, send. See
 * infra/docs/rules.md#statuses.
 */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LineStatus } from "@/contract";
import { StatusChip } from "@/shared/ui/Chip";
import { toast } from "@/shared/ui/toast";
import { changeStatus } from "../orders.writes";
import { useSavedLine } from "../useSavedLine";
import { Confirm } from "./Confirm";
import { Choices, NARROW, NothingLeft, PopupFrame, type PopupProps } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

/** A line cannot leave this status. */
const FINAL: LineStatus = "Canceled";

export default function StatusPopup({ onClose, ...props }: PopupProps) {
  const { t } = useTranslation(["orders", "shared"]);
  const [chosen, setChosen] = useState<LineStatus | null>(
    props.prefer === "Done" ? props.prefer : null,
  );
  const { send, race, line } = useLineWrite(props.line, changeStatus);
  const savedLine = useSavedLine();
  const { statuses } = line.actions;
  // Others may have taken the choice away in the meantime.
  const status = chosen !== null && statuses.includes(chosen) ? chosen : null;

  /** The line shows the status at once, and why it was refused: the dialog need not wait. */
  async function accept(next: LineStatus) {
    const sent = send(next);
    onClose();
    if ((await sent) !== undefined) toast.saved(savedLine(line));
  }

  return (
    <PopupFrame
      line={line}
      width={NARROW}
      title={t("popup.statusTitle")}
      busy={false}
      onClose={onClose}
    >
      {race !== null && <RaceNote race={race} line={line} />}
      {statuses.length === 0 && <NothingLeft explained={race !== null} onClose={onClose} />}
      {status === null && statuses.length > 0 && (
        <Choices
          label={t("popup.statusTitle")}
          choices={statuses.map((value) => ({ value, label: <StatusChip status={value} /> }))}
          onChoose={setChosen}
        />
      )}
      {status !== null && (
        <Confirm
          question={t("popup.statusConfirm", {
            position: line.position,
            status: t(`shared:status.${status}`),
          })}
          busy={false}
          failure={null}
          final={status === FINAL}
          onCancel={() => setChosen(null)}
          onAccept={() => void accept(status)}
        >
          {status === FINAL && <p className="ob-quiet ob-below ob-breaks">{t("popup.final")}</p>}
        </Confirm>
      )}
    </PopupFrame>
  );
}
