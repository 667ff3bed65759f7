/** The thread of a line: what the staff wrote about it, newest last, its open call, and the form to write. */
import Button from "antd/es/button";
import TextArea from "antd/es/input/TextArea";
import type { TextAreaRef } from "antd/es/input/TextArea";
import Segmented from "antd/es/segmented";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Message, MessageIn } from "@/contract";
import { useProcessName } from "@/entities/processes";
import { Select } from "@/shared/form/Select";
import { formatInstant } from "@/shared/format/plant";
import { useOptions } from "@/shared/hooks/useOptions";
import { useAnswers, useList } from "@/shared/http/data";
import { at, MESSAGES } from "@/shared/http/keys";
import { PhotoField } from "@/shared/picture/PhotoField";
import { Thumb } from "@/shared/picture/Thumb";
import { toastError } from "@/shared/ui/errors";
import { KeyButton } from "@/shared/ui/KeyButton";
import { LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { CALL_KINDS, writeMessage, type Place } from "./talk.api";
import "./talk.css";

const PAGE = 20;
const LONGEST_TEXT = 1_000;
const MOST_MENTIONS = 20;
/** The most people, roles and processes that are offered. */
const OFFERED = 200;

interface Props {
  line: Place;
  /** Whether the button has its keyboard shortcut. */
  keyed: boolean;
}

export default function Talk({ line, keyed }: Props) {
  const { t } = useTranslation("talk");
  const { reload } = useAnswers();
  const [show, setShow] = useState(PAGE);
  const [writes, setWrites] = useState(false);
  const place = { order_id: line.salesOrderId, position: line.position };
  const list = useList(
    MESSAGES,
    { path: place },
    { show, more: () => setShow(show + PAGE) },
    { quiet: true },
  );
  const { rows, error, more, retry } = list;
  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="line-talk">
      <h2 id="line-talk">{t("title")}</h2>
      {error !== undefined && <LoadFailed error={error} onRetry={retry} />}
      {rows?.length === 0 && <p className="ob-quiet">{t("empty")}</p>}
      {more !== undefined && (
        <p>
          <Button size="small" onClick={more}>
            {t("earlier")}
          </Button>
        </p>
      )}
      {rows !== undefined && rows.length > 0 && (
        <ol className="ob-ruled">
          {rows.toReversed().map((message) => (
            <Written
              key={message.id}
              message={message}
              onExpired={() => void reload(at(MESSAGES, place))}
            />
          ))}
        </ol>
      )}
      {writes ? (
        <Writing line={line} onClose={() => setWrites(false)} />
      ) : (
        <p>
          <KeyButton letter="c" does="talk" keyed={keyed} onClick={() => setWrites(true)}>
            {t("write")}
          </KeyButton>
        </p>
      )}
    </section>
  );
}

function Written({ message, onExpired }: { message: Message; onExpired: () => void }) {
  const { t } = useTranslation("talk");
  const processName = useProcessName();
  const { kind, text, by, at: instant, receivedAt, photo, photoThumbnail, coming } = message;
  const place = message.productionProcessId;
  const names = message.mentions.map(({ name }) => name).filter(Boolean);
  return (
    <li className="ob-stack ob-stack--tight">
      <span className="ob-words">
        <strong>
          {kind !== "talk" && `${t(`kind.${kind}`)} · `}
          {by.fullName}
        </strong>
        <span className="ob-quiet ob-small">
          <time dateTime={instant}>{formatInstant(instant)}</time>
          {place !== null && ` · ${t("at", { process: processName(place) })}`}
          {receivedAt !== null && ` · ${t("later", { time: formatInstant(receivedAt) })}`}
        </span>
      </span>
      {text !== "" && <span className="ob-talk__text">{text}</span>}
      {text === "" && photo === null && kind === "talk" && (
        <span className="ob-quiet">{t("erased")}</span>
      )}
      {photo !== null && (
        <a href={photo} target="_blank" rel="noreferrer">
          <Thumb address={photoThumbnail} alt={t("photo")} onExpired={onExpired} />
        </a>
      )}
      {names.length > 0 && (
        <span className="ob-quiet ob-small">{t("mentioned", { names: names.join(", ") })}</span>
      )}
      {kind !== "talk" && (
        <span className={coming === null ? "ob-doubtful ob-small" : "ob-quiet ob-small"}>
          {coming === null
            ? t("nobody")
            : t("comes", { name: coming.by.fullName, time: formatInstant(coming.at) })}
        </span>
      )}
    </li>
  );
}

/** The form of a message. What was typed stays if it cannot be sent. */
function Writing({ line, onClose }: { line: Place; onClose: () => void }) {
  const { t } = useTranslation(["talk", "shared"]);
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit((headers, body: MessageIn) =>
    writeMessage(headers, line, body),
  );
  const field = useRef<TextAreaRef>(null);
  const [kind, setKind] = useState<Message["kind"]>("talk");
  const [text, setText] = useState("");
  const [photo, setPhoto] = useState<string | null>(null);
  const [mentions, setMentions] = useState<readonly string[]>([]);
  useEffect(() => field.current?.focus(), []);
  const isEmpty = kind === "talk" && text.trim() === "" && photo === null;

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isEmpty) return;
    try {
      const sent = await submit({
        kind,
        text: text.trim(),
        mentions: mentions.map(mentionOf),
        ...(photo !== null && { photo }),
      });
      if (sent === undefined) return;
    } catch (reason) {
      toastError(reason);
      return;
    }
    toast.success(t("sent"));
    onClose();
    void reload(at(MESSAGES, { order_id: line.salesOrderId, position: line.position }));
  }

  return (
    <form className="ob-stack" onSubmit={(event) => void send(event)}>
      <Segmented
        aria-label={t("what")}
        value={kind}
        options={(["talk", ...CALL_KINDS] as const).map((value) => ({
          value,
          label: t(`kind.${value}`),
        }))}
        onChange={setKind}
      />
      <TextArea
        ref={field}
        aria-label={t("text")}
        placeholder={t("text")}
        maxLength={LONGEST_TEXT}
        autoSize={{ minRows: 2, maxRows: 8 }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Mentions value={mentions} onChange={setMentions} />
      <PhotoField value={photo} onChange={setPhoto} />
      <div className="ob-row">
        <Button type="primary" htmlType="submit" loading={busy} disabled={isEmpty}>
          {t("send")}
        </Button>
        <Button onClick={onClose}>{t("shared:action.close")}</Button>
      </div>
    </form>
  );
}

type Mention = NonNullable<MessageIn["mentions"]>[number];

const mentionOf = (value: string): Mention => {
  const [kind, id] = value.split(" ");
  return { kind: kind as Mention["kind"], id: Number(id) };
};

/** Choose people, roles and processes that are told of the message. */
function Mentions(props: {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}) {
  const { value, onChange } = props;
  const { t } = useTranslation("talk");
  const people = useOptions("users", { limit: OFFERED, active: true }).data ?? [];
  const roles = useOptions("roles", { limit: OFFERED }).data ?? [];
  const processes = useOptions("production-processes", { limit: OFFERED }).data ?? [];
  const options = [
    ...people.map(({ id, name }) => ({ value: `user ${id}`, label: `@${name}` })),
    ...roles.map(({ id, name }) => ({
      value: `role ${id}`,
      label: `@${name} · ${t("mentionKind.role")}`,
    })),
    ...processes.map(({ id, name }) => ({
      value: `process ${id}`,
      label: `@${name} · ${t("mentionKind.process")}`,
    })),
  ];
  return (
    <Select
      mode="multiple"
      aria-label={t("mention")}
      placeholder={t("mention")}
      maxCount={MOST_MENTIONS}
      value={[...value]}
      options={options}
      onChange={onChange}
    />
  );
}
