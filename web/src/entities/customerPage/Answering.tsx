/**
 * What a customer may answer about a line: buttons, and the form of the chosen answer. A failure
 * keeps the typed text.
 */
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { PageAnswerIn, PageLine } from "@/contract";
import { PIECES, problemOf, readTyped, taken } from "@/shared/format/typedNumber";
import { asApiError, type ApiError } from "@/shared/http/ApiError";

type Kind = PageAnswerIn["kind"];
type Stage = PageLine["stage"];

const BEFORE_IT_IS_READY: readonly Kind[] = ["approved", "change", "comment", "again"];
const OFFERED: Record<Stage, readonly Kind[]> = {
  waiting: BEFORE_IT_IS_READY,
  inProduction: BEFORE_IT_IS_READY,
  ready: ["comment", "again"],
  shipped: ["comment", "again"],
  canceled: ["comment", "again"],
};
const LONGEST_TEXT = 2_000;

interface Typed {
  text: string;
  pieces: string;
}

const NOTHING: Typed = { text: "", pieces: "" };

interface Props {
  place: { salesOrderId: number; position: number };
  stage: Stage;
  onSend: (body: PageAnswerIn) => Promise<unknown>;
}

export function Answering({ place, stage, onSend }: Props) {
  const { t } = useTranslation("customerPage");
  const [kind, setKind] = useState<Kind | null>(null);
  const [sent, setSent] = useState(false);
  /** The typed values. They stay while another kind of answer is chosen. */
  const [typed, setTyped] = useState(NOTHING);
  const pressed = useRef<HTMLButtonElement>(null);

  function close(done: boolean) {
    setKind(null);
    setSent(done);
    setTyped(NOTHING);
    pressed.current?.focus();
  }

  return (
    <div className="ob-stack">
      <div className="ob-row ob-cpage__asks">
        {OFFERED[stage].map((each) => (
          <button
            key={each}
            type="button"
            className="ob-cpage__button"
            aria-expanded={each === kind}
            aria-label={t("askOf", { what: t(`ask.${each}`), position: place.position })}
            onClick={({ currentTarget }) => {
              pressed.current = currentTarget;
              setSent(false);
              setKind(each === kind ? null : each);
            }}
          >
            {t(`ask.${each}`)}
          </button>
        ))}
      </div>
      {kind !== null && (
        <AnswerForm
          key={kind}
          kind={kind}
          typed={typed}
          onType={setTyped}
          onSend={(said) => onSend({ ...said, ...place, kind })}
          onClose={close}
        />
      )}
      <p role="status" className="ob-cpage__sent">
        {sent && t("sent")}
      </p>
    </div>
  );
}

interface FormProps {
  kind: Kind;
  typed: Typed;
  onType: (typed: Typed) => void;
  onSend: (said: Pick<PageAnswerIn, "key" | "text" | "quantity">) => Promise<unknown>;
  onClose: (done: boolean) => void;
}

function AnswerForm({ kind, typed, onType, onSend, onClose }: FormProps) {
  const { t } = useTranslation(["customerPage", "shared"]);
  const { text, pieces } = typed;
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  /**
   * The last attempt: its content and its idempotency key. The same content is sent with the same
   * key, so that an answer with a lost receipt is stored only once.
   */
  const tried = useRef({ said: "", key: "" });
  const [textId, piecesId, wrongId] = [useId(), useId(), useId()];
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  const needsText = kind === "change" || kind === "comment";
  const quantity = pieces.trim() === "" ? null : readTyped(pieces, PIECES);
  const isWrong = quantity !== null && problemOf(quantity, PIECES) !== null;

  async function send(event: FormEvent) {
    event.preventDefault();
    const lacks = needsText && text.trim() === "";
    setMissing(lacks);
    if (lacks || isWrong || busy) return;
    setBusy(true);
    setRefusal(null);
    const said = `${pieces} ${text}`;
    if (tried.current.said !== said || tried.current.key === "") {
      tried.current = { said, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
    }
    try {
      await onSend({
        key: tried.current.key,
        text,
        quantity: quantity === null ? null : taken(quantity),
      });
      onClose(true);
    } catch (reason) {
      setRefusal(asApiError(reason));
      setBusy(false);
    }
  }

  return (
    <form className="ob-cpage__form" noValidate onSubmit={(event) => void send(event)}>
      <label htmlFor={textId}>{t(`text.${kind}`)}</label>
      <textarea
        id={textId}
        ref={field}
        rows={3}
        maxLength={LONGEST_TEXT}
        value={text}
        aria-invalid={missing}
        onChange={(event) => {
          onType({ ...typed, text: event.target.value });
          setMissing(false);
        }}
      />
      {missing && <p role="alert">{t("textMissing")}</p>}
      {kind === "again" && (
        <>
          <label htmlFor={piecesId}>{t("quantity")}</label>
          <input
            id={piecesId}
            inputMode="numeric"
            value={pieces}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? wrongId : undefined}
            onChange={(event) => onType({ ...typed, pieces: event.target.value })}
          />
          {isWrong && <p id={wrongId}>{t("quantityWrong")}</p>}
        </>
      )}
      {refusal !== null && <p role="alert">{wordsOf(refusal, t("shared:errors.unreachable"))}</p>}
      <div className="ob-row">
        <button
          type="submit"
          className="ob-cpage__button ob-cpage__button--main"
          disabled={isWrong}
          aria-busy={busy}
        >
          {t("send")}
        </button>
        <button type="button" className="ob-cpage__button" onClick={() => onClose(false)}>
          {t("keep")}
        </button>
      </div>
    </form>
  );
}

/** Return the server's message: that of the first wrong field, if there is one. */
function wordsOf({ errors, message, isOffline }: ApiError, unreachable: string): string {
  if (isOffline) return unreachable;
  return errors[0]?.message ?? message;
}
