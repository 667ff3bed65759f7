/** releaseProcess: choose a process the line has been through, confirm, release. Specification 2, sections 2 and 4. */
import CheckCircleFilled from "@ant-design/icons/es/icons/CheckCircleFilled";
import TextArea from "antd/es/input/TextArea";
import Select from "antd/es/select";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShortList } from "@/shared/hooks/useShortList";
import { NOTES_MOST } from "../form/values";
import { release } from "../orders.writes";
import { Choices } from "./Choices";
import { Confirm, Failure } from "./Confirm";
import { NothingLeft } from "./NothingLeft";
import { NARROW, PopupFrame } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import type { PopupProps } from "./types";
import { useLineWrite } from "./useLineWrite";

const CONFIRMATION_LASTS = 3_000;

export default function ReleasePopup({ onClose, ...props }: PopupProps) {
  const { t } = useTranslation(["orders", "shared"]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [released, setReleased] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const [notes, setNotes] = useState("");
  const { rows: reasons } = useShortList("release-reasons");
  const { send, busy, race, failure, forget, line } = useLineWrite(props.line, release);
  const offered = line.actions.release;
  const process = offered.find(({ productionProcessId }) => productionProcessId === chosen);

  const close = useEffectEvent(onClose);

  useEffect(() => {
    if (released === null) return undefined;
    const timer = setTimeout(() => close(), CONFIRMATION_LASTS);
    return () => clearTimeout(timer);
  }, [released]);

  async function accept(processId: number, name: string) {
    const why = {
      ...(reason === null ? {} : { reason }),
      ...(notes.trim() === "" ? {} : { notes: notes.trim() }),
    };
    if ((await send(processId, why)) !== undefined) setReleased(name);
  }

  function content() {
    if (released !== null) {
      return (
        <p className="ob-popup__done" role="status">
          <CheckCircleFilled aria-hidden />
          {t("popup.released", { process: released })}
        </p>
      );
    }
    if (offered.length === 0) return <NothingLeft told={race !== null} onClose={onClose} />;
    if (process === undefined) {
      return (
        <Choices
          label={t("popup.releaseTitle")}
          choices={offered.map((each) => ({
            value: each.productionProcessId,
            label: each.productionProcessName,
            hint: t(each.side === "in" ? "popup.releasesEntry" : "popup.releasesBoth", {
              pieces: t("pieces", { count: each.quantity }),
            }),
          }))}
          onChoose={setChosen}
        />
      );
    }
    const { productionProcessId, productionProcessName: name } = process;
    return (
      <Confirm
        question={t("popup.releaseConfirm", { process: name })}
        busy={busy}
        failure={failure}
        onCancel={() => {
          forget();
          setChosen(null);
        }}
        onAccept={() => void accept(productionProcessId, name)}
      >
        <p className="ob-popup__subject">
          {t(process.side === "in" ? "popup.releaseEntryText" : "popup.releaseText")}
        </p>
        <label className="ob-popup__field">
          <span>{t("popup.reason")}</span>
          <Select<string | null>
            allowClear
            size="large"
            placeholder={t("popup.anyReason")}
            value={reason}
            options={reasons
              .filter(({ active }) => active)
              .map(({ key, name: called }) => ({ value: key, label: called }))}
            onChange={(key) => setReason(key ?? null)}
          />
        </label>
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
    );
  }

  return (
    <PopupFrame line={line} width={NARROW} title={t("popup.releaseTitle")} onClose={onClose}>
      {race !== null && released === null && <RaceNote race={race} line={line} />}
      {process === undefined && failure !== null && <Failure text={failure} />}
      {content()}
    </PopupFrame>
  );
}
