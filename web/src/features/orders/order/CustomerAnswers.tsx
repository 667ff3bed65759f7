/**
 * The customer's answers about an order's lines, from the customer page, newest first, with the
 * replies of the office, and the approvals that it waits for. Renders nothing if there are none.
 */
import Button from "antd/es/button";
import TextArea from "antd/es/input/TextArea";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ApprovalRequest, CustomerAnswer } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { APPROVAL_REQUESTS, at, CUSTOMER_ANSWERS } from "@/shared/http/keys";
import { useIsCustomer, useMay } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { useSubmit } from "@/shared/ui/useSubmit";
import { copyPath } from "../paths";
import { markHandled, replyTo, withdrawRequest } from "./shareLink";
import "./share.css";

const MOST = 100;
const LONGEST_TEXT = 1_000;

export function CustomerAnswers({ orderId }: { orderId: number }) {
  const { t } = useTranslation("orders");
  const isCustomer = useIsCustomer();
  const asked = { query: { salesOrderId: orderId, limit: MOST } };
  const { data = [] } = useAnswer(CUSTOMER_ANSWERS, isCustomer ? null : asked, { quiet: true });
  const { data: requests = [] } = useAnswer(APPROVAL_REQUESTS, isCustomer ? null : asked, {
    quiet: true,
  });
  const waiting = requests.filter(({ status }) => status === "open");
  if (data.length + waiting.length === 0) return null;
  return (
    <section className="ob-surface ob-answers" aria-labelledby="customer-answers">
      <h2 id="customer-answers">{t("answers.title")}</h2>
      <ul className="ob-ruled">
        {waiting.map((request) => (
          <Waiting key={`asked ${request.id}`} request={request} />
        ))}
        {data.map((answer) => (
          <Answer key={answer.id} answer={answer} orderId={orderId} />
        ))}
      </ul>
    </section>
  );
}

/** An approval that the office asked for and the customer has not given yet. */
function Waiting({ request }: { request: ApprovalRequest }) {
  const { t } = useTranslation("orders");
  const mayWithdraw = useMay("ManageCustomerLinks");
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit(withdrawRequest);

  async function withdraw() {
    try {
      await submit(request);
    } catch (reason) {
      toastError(reason);
    }
    void reload(at(APPROVAL_REQUESTS));
  }

  return (
    <li className="ob-stack ob-stack--tight">
      <span className="ob-words">
        <strong>
          {t("approval.waits")} · {t("answers.line", { position: request.position })}
        </strong>
        <span className="ob-quiet ob-small">
          {request.by} · <time dateTime={request.at}>{formatInstant(request.at)}</time>
        </span>
      </span>
      <span className="ob-answers__text">{request.text}</span>
      {mayWithdraw && (
        <p>
          <Button size="small" loading={busy} onClick={() => void withdraw()}>
            {t("approval.withdraw")}
          </Button>
        </p>
      )}
    </li>
  );
}

function Answer({ answer, orderId }: { answer: CustomerAnswer; orderId: number }) {
  const { t } = useTranslation("orders");
  const mayOrder = useMay("CreateSalesOrder");
  const { id, kind, position, quantity, text, by, request, replies } = answer;
  return (
    <li className="ob-stack ob-stack--tight">
      <span className="ob-words">
        <strong>
          {t(`answers.${kind}`)} · {t("answers.line", { position })}
          {quantity !== null && ` · ${t("answers.pieces", { count: quantity })}`}
        </strong>
        <span className="ob-quiet ob-small">
          {by} · <time dateTime={answer.at}>{formatInstant(answer.at)}</time>
        </span>
      </span>
      {request !== null && (
        <span className="ob-row ob-quiet">
          {request.photoThumbnail !== null && (
            <a href={request.photo ?? undefined} target="_blank" rel="noreferrer">
              <img
                className="ob-answers__picture"
                src={request.photoThumbnail}
                alt={t("approval.pictureOf")}
                loading="lazy"
              />
            </a>
          )}
          <q className="ob-answers__text">{request.text}</q>
        </span>
      )}
      {text !== "" && <span className="ob-answers__text">{text}</span>}
      {replies.map((reply) => (
        <span key={reply.id} className="ob-answers__text">
          <strong>{t("answers.replied", { by: reply.by })}</strong> {reply.text}
        </span>
      ))}
      {kind === "again" && mayOrder && (
        <Link to={copyPath(orderId, { position, quantity })}>{t("answers.repeat")}</Link>
      )}
      {answer.handled && (
        <span className="ob-quiet ob-small">
          {t("answers.handled", { by: answer.handledBy, at: formatInstant(answer.handledAt) })}
        </span>
      )}
      <Reply id={id} handled={answer.handled} />
    </li>
  );
}

/** The form of a reply, and the button that marks the answer as handled. */
function Reply({ id, handled }: { id: number; handled: boolean }) {
  const { t } = useTranslation(["orders", "shared"]);
  const { reload } = useAnswers();
  const sending = useSubmit(replyTo);
  const handling = useSubmit(markHandled);
  const [text, setText] = useState<string | null>(null);

  async function done(work: Promise<CustomerAnswer | undefined>) {
    try {
      if ((await work) === undefined) return;
      setText(null);
    } catch (reason) {
      toastError(reason);
    }
    void reload(at(CUSTOMER_ANSWERS));
  }

  function send(event: FormEvent) {
    event.preventDefault();
    if (text !== null && text.trim() !== "") void done(sending.submit(id, text));
  }

  if (text === null) {
    return (
      <div className="ob-row">
        <Button size="small" onClick={() => setText("")}>
          {t("answers.reply")}
        </Button>
        {!handled && (
          <Button
            size="small"
            loading={handling.busy}
            onClick={() => void done(handling.submit(id))}
          >
            {t("answers.handle")}
          </Button>
        )}
      </div>
    );
  }
  return (
    <form className="ob-stack ob-stack--tight" onSubmit={send}>
      <TextArea
        aria-label={t("answers.replyText")}
        placeholder={t("answers.replyText")}
        maxLength={LONGEST_TEXT}
        autoSize={{ minRows: 2, maxRows: 8 }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="ob-row">
        <Button
          type="primary"
          size="small"
          htmlType="submit"
          loading={sending.busy}
          disabled={text.trim() === ""}
        >
          {t("answers.send")}
        </Button>
        <Button size="small" onClick={() => setText(null)}>
          {t("shared:action.close")}
        </Button>
      </div>
    </form>
  );
}
