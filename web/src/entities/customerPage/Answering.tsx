/**
 * What a customer may answer about a line: a button that opens a form with the kinds of answers. An
 * approval is one of them only if the workshop has asked for it. A failure keeps the typed text.
 */
import { useId, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { PageAnswerIn, PageLine, PageRequest } from "@/contract";
import { PIECES, problemOf, readTyped, taken } from "@/shared/format/typedNumber";
import { asApiError, type ApiError } from "@/shared/http/ApiError";

type Kind = PageAnswerIn["kind"];

const LONGEST_TEXT = 2_000;

interface Props {
  place: { salesOrderId: number; position: number };
  stage: PageLine["stage"];
  /** The open request for an approval of the line. */
  request: PageRequest | undefined;
  onSend: (body: PageAnswerIn) => Promise<unknown>;
}

export function Answering({ place, stage, request, onSend }: Props) {
  const { t } = useTranslation("customerPage");
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  const pressed = useRef<HTMLButtonElement>(null);
  const isBeing = stage === "waiting" || stage === "inProduction";
  const kinds: readonly Kind[] = [
    ...(request === undefined ? [] : (["approved"] as const)),
    ...(isBeing || request !== undefined ? (["change"] as const) : []),
    "comment",
    "again",
  ];

  function close(done: boolean) {
    setOpen(false);
    setSent(done);
    pressed.current?.focus();
  }

  return (
    <div className="ob-stack">
      <div>
        <button
          ref={pressed}
          type="button"
          className="ob-cpage__button"
          aria-expanded={open}
          aria-label={t("askOf", { what: t("respond"), position: place.position })}
          onClick={() => {
            setSent(false);
            setOpen(!open);
          }}
        >
          {t("respond")}
        </button>
      </div>
      {open && (
        <AnswerForm
          kinds={kinds}
          onSend={(said) => onSend({ ...said, ...place, requestId: request?.id ?? null })}
          onClose={close}
        />
      )}
      <p role="status" className="ob-cpage__sent">
        {sent && t("sent")}
      </p>
    </div>
  );
}

const focusFirst = (choices: HTMLElement | null) => choices?.querySelector("input")?.focus();

interface FormProps {
  kinds: readonly Kind[];
  onSend: (said: Pick<PageAnswerIn, "key" | "kind" | "text" | "quantity">) => Promise<unknown>;
  onClose: (done: boolean) => void;
}

function AnswerForm({ kinds, onSend, onClose }: FormProps) {
  const { t } = useTranslation("customerPage");
  const [kind, setKind] = useState<Kind | null>(null);
  const [text, setText] = useState("");
  const [pieces, setPieces] = useState("");
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  /**
   * The last attempt: its content and its idempotency key. The same content is sent with the same
   * key, so that an answer with a lost receipt is stored only once.
   */
  const tried = useRef({ said: "", key: "" });
  const id = useId();
  // A kind that is no longer offered, such as an approval that was withdrawn, is not sent.
  const chosen = kind !== null && kinds.includes(kind) ? kind : null;

  const quantity = chosen !== "again" || pieces.trim() === "" ? null : readTyped(pieces, PIECES);
  const isWrong = quantity !== null && problemOf(quantity, PIECES) !== null;

  async function send(event: FormEvent) {
    event.preventDefault();
    if (chosen === null) return;
    const lacks = (chosen === "change" || chosen === "comment") && text.trim() === "";
    setMissing(lacks);
    if (lacks || isWrong || busy) return;
    setBusy(true);
    setRefusal(null);
    const said = `${chosen} ${pieces} ${text}`;
    if (tried.current.said !== said || tried.current.key === "") {
      tried.current = { said, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
    }
    try {
      await onSend({
        key: tried.current.key,
        kind: chosen,
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
      <fieldset ref={focusFirst} className="ob-stack ob-stack--tight">
        <legend className="ob-quiet ob-small">{t("what")}</legend>
        {kinds.map((each) => (
          <label key={each} className="ob-cpage__kind">
            <input
              type="radio"
              name={id}
              checked={each === chosen}
              onChange={() => {
                setKind(each);
                setMissing(false);
              }}
            />
            {t(`ask.${each}`)}
          </label>
        ))}
      </fieldset>
      {chosen !== null && (
        <>
          <label htmlFor={`${id}t`}>{t(`text.${chosen}`)}</label>
          <textarea
            id={`${id}t`}
            rows={3}
            maxLength={LONGEST_TEXT}
            value={text}
            aria-invalid={missing}
            onChange={(event) => {
              setText(event.target.value);
              setMissing(false);
            }}
          />
          {missing && <p role="alert">{t("textMissing")}</p>}
        </>
      )}
      {chosen === "again" && (
        <>
          <label htmlFor={`${id}p`}>{t("quantity")}</label>
          <input
            id={`${id}p`}
            inputMode="numeric"
            value={pieces}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? `${id}w` : undefined}
            onChange={(event) => setPieces(event.target.value)}
          />
          {isWrong && <p id={`${id}w`}>{t("quantityWrong")}</p>}
        </>
      )}
      {refusal !== null && <p role="alert">{wordsOf(refusal, t("unreachable"))}</p>}
      <div className="ob-row">
        <button
          type="submit"
          className="ob-cpage__button ob-cpage__button--main"
          disabled={isWrong || chosen === null}
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
