/** Read the code of a work sheet with the camera, or let the user type it. */
import Button from "antd/es/button";
import Input, { type InputRef } from "antd/es/input/Input";
import Modal from "antd/es/modal";
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "@/shared/hooks/browser";
import { readCodes } from "./camera";
import { codeOf } from "./codes";
import "./scan.css";

type Camera = "starting" | "looking" | "late" | "none";

interface Props {
  /** Handles a code; false if it is not valid, and then the dialog stays open. */
  onCode: (code: string) => Promise<boolean>;
  /** Why the last code was not valid, if nothing else on screen says so. */
  problem?: string | null;
  onClose: () => void;
}

export default function ScanDialog({ onCode, problem = null, onClose }: Props) {
  const { t } = useTranslation(["scanning", "shared"]);
  const field = useRef<InputRef>(null);
  useFocusBack();
  const video = useRef<HTMLVideoElement>(null);
  const [camera, setCamera] = useState<Camera>("starting");
  const [code, setCode] = useState("");

  async function take(text: string) {
    if (await onCode(codeOf(text))) onClose();
  }

  const onSeen = useEffectEvent(take);
  useEffect(() => {
    const stop = new AbortController();
    const late = () => setCamera((now) => (stop.signal.aborted ? now : "late"));
    readCodes(video.current as HTMLVideoElement, stop.signal, onSeen, late).then(
      () => setCamera((now) => (stop.signal.aborted ? now : "looking")),
      () => setCamera("none"), // No camera, or no permission to use it: the user can type the code.
    );
    return () => stop.abort();
  }, []);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (code.trim() !== "") void take(code);
  }

  return (
    <Modal
      open
      centered
      width={480}
      title={t("title")}
      onCancel={onClose}
      closable={{ "aria-label": t("shared:action.close") }}
      footer={null}
      afterOpenChange={() => field.current?.focus()}
    >
      <div className={`ob-stack ob-below ob-scan ob-scan--${camera}`}>
        <video ref={video} muted playsInline aria-label={t("camera")} />
        <p role="status">{t(`${camera}`)}</p>
      </div>
      <form className="ob-bar" onSubmit={onSubmit}>
        <Input
          ref={field}
          value={code}
          aria-label={t("code")}
          placeholder={t("code")}
          autoComplete="off"
          onChange={({ target }) => setCode(target.value)}
        />
        <Button htmlType="submit" type="primary">
          {t("open")}
        </Button>
      </form>
      {problem !== null && <p role="alert">{problem}</p>}
    </Modal>
  );
}
