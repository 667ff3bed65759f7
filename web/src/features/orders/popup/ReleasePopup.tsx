/**
 * Release a process that the line has been through (`releaseProcess`): choose, confirm, send. See
 * infra/docs/rules.md#releases.
 */
import CheckCircleFilled from "@ant-design/icons/es/icons/CheckCircleFilled";
import TextArea from "antd/es/input/TextArea";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Select } from "@/shared/form/Select";
import { useDraft } from "@/shared/form/draft";
import { DraftNote } from "@/shared/form/notes";
import { useShortList } from "@/shared/hooks/useOptions";
import { NOTES_MOST } from "../form/values";
import { release } from "../orders.writes";
import { Confirm, Failure } from "./Confirm";
import { Choices, draftName, NARROW, NothingLeft, PopupFrame, type PopupProps } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

const CONFIRMATION_LASTS = 3_000;

interface ReleaseDraft {
  /** Id of the process. */
  chosen: number | null;
  reason: string | null;
  notes: string;
}

export default function ReleasePopup({ onClose, ...props }: PopupProps) {
  const { t } = useTranslation(["orders", "shared"]);
  const draft = useDraft<ReleaseDraft>(draftName(props.line, "release"), {
    chosen: null,
    reason: null,
    notes: "",
  });
  const { chosen, reason, notes } = draft.values;
  const [released, setReleased] = useState<string | null>(null);
  const { rows: reasons } = useShortList("release-reasons");
  const { send, busy, race, failure, forget, line } = useLineWrite(props.line, release);
  const offered = line.actions.release;
  const process = offered.find(({ productionProcessId }) => productionProcessId === chosen);

  function close() {
    draft.drop();
    onClose();
  }

  const closeNow = useEffectEvent(close);

  useEffect(() => {
    if (released === null) return undefined;
    const timer = setTimeout(() => closeNow(), CONFIRMATION_LASTS);
    return () => clearTimeout(timer);
  }, [released]);

  async function accept(processId: number, name: string) {
    const why = {
      ...(reason === null ? {} : { reason }),
      ...(notes.trim() === "" ? {} : { notes: notes.trim() }),
    };
    if ((await send(processId, why)) === undefined) return;
    draft.drop();
    setReleased(name);
  }

  function content() {
    if (released !== null) {
      return (
        <p className="ob-state ob-strong ob-large ob-popup__done" role="status">
          <CheckCircleFilled aria-hidden />
          {t("popup.released", { process: released })}
        </p>
      );
    }
    if (offered.length === 0) return <NothingLeft explained={race !== null} onClose={close} />;
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
          onChoose={(next) => draft.change({ chosen: next })}
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
          draft.change({ chosen: null });
        }}
        onAccept={() => void accept(productionProcessId, name)}
      >
        <p className="ob-quiet ob-below ob-breaks">
          {t(process.side === "in" ? "popup.releaseEntryText" : "popup.releaseText")}
        </p>
        <label className="ob-stack ob-strong ob-popup__field">
          <span>{t("popup.reason")}</span>
          <Select<string | null>
            allowClear
            size="large"
            popupMatchSelectWidth={false}
            placeholder={t("popup.anyReason")}
            value={reason}
            options={reasons
              .filter(({ active }) => active)
              .map(({ key, name: called }) => ({ value: key, label: called }))}
            onChange={(key) => draft.change({ reason: key ?? null })}
          />
        </label>
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
    <PopupFrame
      line={line}
      width={NARROW}
      title={t("popup.releaseTitle")}
      busy={busy}
      onClose={close}
    >
      {draft.restored && <DraftNote onDrop={draft.drop} />}
      {race !== null && released === null && <RaceNote race={race} line={line} />}
      {process === undefined && failure !== null && <Failure text={failure} />}
      {content()}
    </PopupFrame>
  );
}
