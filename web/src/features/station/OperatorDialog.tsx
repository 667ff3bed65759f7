/**
 * Identify who works: six digits on a pad for gloved hands, or a badge scanned while the dialog is
 * open. See infra/docs/rules.md#operators.
 */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { asApiError } from "@/shared/http/ApiError";
import { forgetOperator } from "./operator";
import { nameWorker, whyNotNamed } from "./station.api";
import type { Show, Worker } from "./types";
import "./opened.css";

const DIGITS = ["7", "8", "9", "4", "5", "6", "1", "2", "3", "0"] as const;
const PIN_LENGTH = 6;

interface Props {
  station: Station;
  worker: Worker;
  show: Show;
  /** Why a code that was scanned in the meantime was refused. */
  problem: string | null;
  onProblem: () => void;
  onClose: () => void;
}

export default function OperatorDialog(props: Props) {
  const { station, worker, show, onProblem, onClose } = props;
  const { t } = useTranslation(["station", "shared"]);
  const [pin, setPin] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const pad = useRef<HTMLDivElement>(null);

  async function send(whole: string) {
    setBusy(true);
    setProblem(null);
    onProblem();
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

  useTypedPin({
    pin,
    onPin: (next) => {
      if (!busy) setPin(next);
    },
    onWhole: (whole) => {
      if (!busy) void send(whole);
    },
  });

  return (
    <Modal
      open
      afterOpenChange={() => pad.current?.focus()}
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
      <p className="ob-wrong ob-pieces-pad__problem" role="alert">
        {problem ?? props.problem}
      </p>
      <div ref={pad} className="ob-pad" role="group" tabIndex={-1} aria-label={t("operator.pin")}>
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
          className="ob-above ob-station__button"
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

/**
 * Typed digits count as a PIN after this silence, in ms: they may be the beginning of a scanned
 * code.
 */
const QUIET = 300;
const APART = 1_000;

interface Typing {
  pin: string;
  onPin: (pin: string) => void;
  onWhole: (pin: string) => void;
}

/** Read a PIN from the keyboard, at any speed and wherever the focus is. */
function useTypedPin({ pin, onPin, onWhole }: Typing): void {
  const typed = useRef({ at: -Infinity, isCode: false });
  const [whole, setWhole] = useState<string | null>(null);

  const onKey = useEffectEvent(({ key, timeStamp, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
    if (ctrlKey || altKey || metaKey || (key.length > 1 && !/^(Enter|Backspace)$/.test(key)))
      return;
    const { at, isCode } = typed.current;
    if (key === "Enter") {
      // Keys that end this soon without a PIN came from a scanner.
      if (timeStamp - at < APART && pin.length < PIN_LENGTH) onPin("");
      typed.current = { at: -Infinity, isCode: false };
      return;
    }
    const next = key === "Backspace" ? pin.slice(0, -1) : pin + key;
    const isPin = /^\d{0,6}$/.test(next) && !(isCode && timeStamp - at < APART);
    typed.current = { at: timeStamp, isCode: !isPin };
    onPin(isPin ? next : "");
    setWhole(isPin && next.length === PIN_LENGTH ? next : null);
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => onKey(event);
    // Capture the keys, before the Enter of a scan is taken from the page.
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);

  const send = useEffectEvent(onWhole);
  useEffect(() => {
    if (whole === null) return undefined;
    const timer = setTimeout(() => {
      setWhole(null);
      send(whole);
    }, QUIET);
    return () => clearTimeout(timer);
  }, [whole]);
}
