/** Who works: six digits for gloved hands, or a badge that is scanned while this stands open. Contract, section 8. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { asApiError } from "@/shared/http/ApiError";
import { forgetOperator, type Worker } from "./operator";
import type { Show } from "./StationScreen";
import { nameWorker, whyNotNamed } from "./station.api";

const DIGITS = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "0"] as const;
const PIN_LENGTH = 6;

interface Props {
  station: Station;
  worker: Worker;
  show: Show;
  onClose: () => void;
}

export default function OperatorDialog({ station, worker, show, onClose }: Props) {
  const { t } = useTranslation(["station", "shared"]);
  const [pin, setPin] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(whole: string) {
    setBusy(true);
    setProblem(null);
    try {
      await nameWorker({ pin: whole }, station.process.productionProcessId);
      show("yes");
      onClose();
    } catch (reason) {
      show("no");
      setProblem(whyNotNamed(asApiError(reason), station.process.productionProcessName));
      setPin("");
    }
    setBusy(false);
  }

  function press(digit: string) {
    if (busy || pin.length === PIN_LENGTH) return;
    const next = pin + digit;
    setPin(next);
    if (next.length === PIN_LENGTH) void send(next);
  }

  return (
    <Modal
      open
      centered
      width={440}
      title={t("operator.title")}
      closable={{ "aria-label": t("shared:action.close") }}
      footer={null}
      onCancel={onClose}
    >
      <p>{t("operator.hint")}</p>
      <output className="ob-operator__pin" aria-label={t("operator.pin")}>
        {"●".repeat(pin.length).padEnd(PIN_LENGTH, "○")}
        <span className="ob-visually-hidden">{t("operator.digits", { count: pin.length })}</span>
      </output>
      <p className="ob-pieces-pad__problem" role="alert">
        {problem}
      </p>
      <div className="ob-pad" role="group" aria-label={t("operator.pin")}>
        {DIGITS.map((digit) => (
          <Button key={digit} className="ob-pad__key" disabled={busy} onClick={() => press(digit)}>
            {digit}
          </Button>
        ))}
        <Button
          className="ob-pad__key"
          aria-label={t("operator.delete")}
          onClick={() => setPin(pin.slice(0, -1))}
        >
          ⌫
        </Button>
      </div>
      {worker.operatorToken !== null && (
        <Button
          block
          className="ob-station__button ob-operator__leave"
          onClick={() => {
            forgetOperator();
            onClose();
          }}
        >
          {t("operator.leave", { name: worker.fullName })}
        </Button>
      )}
    </Modal>
  );
}
