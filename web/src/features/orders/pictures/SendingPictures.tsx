/** The pictures of a new order on their way, one after the other; one that fails can be sent again or left. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Progress from "antd/es/progress";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError } from "@/shared/http/ApiError";
import { sayPictureFailed } from "@/shared/picture/afterRecord";
import { errorText } from "@/shared/ui/errors";
import { sendLinePicture, type LinePicture } from "./linePictures";
import "../form/form.css";

interface State {
  /** How much of it is sent, from 0 to 1. */
  part: number;
  sent: boolean;
  failure: string | null;
}

const WAITING: State = { part: 0, sent: false, failure: null };

export default function SendingPictures(props: {
  pictures: readonly LinePicture[];
  onDone: () => void;
}) {
  const { pictures, onDone } = props;
  const { t } = useTranslation(["orders", "forms"]);
  const [states, setStates] = useState<readonly State[]>(() => pictures.map(() => WAITING));
  const [busy, setBusy] = useState(true);
  const begun = useRef(false);
  const failureTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const update = (index: number, change: Partial<State>) =>
    setStates((now) => now.map((state, at) => (at === index ? { ...state, ...change } : state)));

  async function sendAll(indexes: readonly number[]) {
    setBusy(true);
    // What is sent again is not said to have failed.
    clearTimeout(failureTimer.current);
    let failed = 0;
    for (const index of indexes) {
      const picture = pictures[index] as LinePicture;
      update(index, WAITING);
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other, at once
        await sendLinePicture(picture, picture.file, (part) => update(index, { part }));
        update(index, { part: 1, sent: true });
      } catch (reason) {
        failed += 1;
        update(index, { failure: errorText(asApiError(reason)) });
      }
    }
    setBusy(false);
    if (failed === 0) onDone();
    else failureTimer.current = sayPictureFailed();
  }

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void sendAll(pictures.map((_, index) => index));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it opens
  }, []);

  const failed = states.flatMap(({ failure }, index) => (failure === null ? [] : [index]));
  return (
    <Modal
      open
      centered
      closable={false}
      width={480}
      title={t("picture.sending")}
      footer={
        !busy && failed.length > 0 ? (
          <>
            <Button onClick={onDone}>{t("picture.skip")}</Button>
            <Button type="primary" onClick={() => void sendAll(failed)}>
              {t("picture.again")}
            </Button>
          </>
        ) : null
      }
    >
      <ul className="ob-sending">
        {pictures.map(({ position, itemName }, index) => {
          const { part, sent, failure } = states[index] ?? WAITING;
          const name = t("picture.line", { position, item: itemName });
          return (
            <li key={position}>
              <span className="ob-sending__name">{name}</span>
              <Progress
                percent={Math.round(100 * part)}
                size="small"
                aria-label={name}
                {...(failure === null ? {} : { status: "exception" as const })}
              />
              <span className={failure === null ? "ob-quiet" : "ob-sending__failure"} role="status">
                {failure ?? t(sent ? "picture.sent" : "picture.waits")}
              </span>
            </li>
          );
        })}
      </ul>
    </Modal>
  );
}
