/**
 * Count the metal that a person has, and the swept dust of each alloy. Show the difference to the
 * books, and who signs. Typed values stay when the books change.
 */
import CheckCircleFilled from "@ant-design/icons/es/icons/CheckCircleFilled";
import Input, { type InputRef } from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDraft } from "@/shared/form/draft";
import { FormScope, SendButton, useFormScope } from "@/shared/form/FormParts";
import { DraftNote } from "@/shared/form/notes";
import { sendKeys } from "@/shared/keyboard/sendKeys";
import { useQuestion } from "@/shared/form/useQuestion";
import { formatGrams, formatLossShare } from "@/shared/format/numbers";
import { orNothing, taken, type Typed } from "@/shared/format/typedNumber";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { useLanguage } from "@/shared/i18n";
import { useMay, useSignedIn } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { Grams } from "@/shared/ui/Facts";
import { toast } from "@/shared/ui/toast";
import { scale } from "@/entities/weight/scale";
import { WeightField } from "@/entities/weight/WeightField";
import { isOver } from "@/entities/weight/weights";
import { differenceName } from "./ClosedDays";
import { TEXT_MOST } from "./fields";
import {
  closeDay,
  farCounts,
  useReloadMetal,
  type DayIn,
  type ExpectedDay,
  type FarCount,
  type Whose,
} from "./metal.api";

const PIN = /^\d{6}$/;
const PIN_LENGTH = 6;
const MG = 1_000;

type Expected = ExpectedDay["alloys"][number];

/** The weights of one alloy. 0 means that there is none. */
interface Count {
  counted: Typed;
  dust: Typed;
}

interface Draft {
  counts: Record<number, Count>;
  notes: string;
}

const NOTHING: Draft = { counts: {}, notes: "" };
const UNCOUNTED: Count = { counted: null, dust: null };

const fieldName = (alloyId: number, part: keyof Count) => `${alloyId} ${part}`;

interface Difference {
  /** The expected grams minus the counted metal and the dust; negative if more is there. */
  grams: number;
  /** Dust and difference, in per mille of the received grams; null if nothing was received. */
  perMille: number | null;
  /** Dust and difference. */
  lost: number;
  received: number;
}

/** Compare a count with the books, to the milligram. Null while the count is unknown. */
export function differenceOf(
  expected: Expected,
  { counted, dust: swept }: Count,
): Difference | null {
  if (typeof counted !== "number" || typeof swept === "string") return null;
  const mg = (grams: number) => Math.round(grams * MG);
  const dust = mg(orNothing(swept));
  const grams = mg(expected.expectedGrams) - mg(counted) - dust;
  const received = mg(expected.receivedGrams);
  const perMille = received > 0 ? Math.round(((grams + dust) / received) * 10_000) / 10 : null;
  return {
    grams: grams / MG,
    perMille,
    lost: (grams + dust) / MG,
    received: expected.receivedGrams,
  };
}

interface Props {
  whose: Whose;
  expected: ExpectedDay;
  /** The badge that was scanned, if the person signs by it. */
  badge: string | null;
  onClosed: () => void;
}

export function DayForm(props: Props) {
  return (
    <FormScope>
      <CountForm {...props} />
    </FormScope>
  );
}

function CountForm({ whose, expected, badge, onClosed }: Props) {
  const { t } = useTranslation("metal");
  const ids = useId();
  const reload = useReloadMetal();
  const { check } = useFormScope();
  const { userId, productionProcessId, day } = whose;
  const draft = useDraft<Draft>(`metal/days/${userId}/${productionProcessId}/${day}`, NOTHING);
  const { counts, notes } = draft.values;
  const countOf = ({ alloyId }: Expected) => counts[alloyId] ?? UNCOUNTED;
  const [pin, setPin] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  /** The counts that the server asked about. Null again as soon as a weight changes. */
  const [far, setFar] = useState<FarCount[] | null>(null);
  const [reason, setReason] = useState("");
  /** The field that takes the scale's readings: the last one with the focus. */
  const [weighing, setWeighing] = useState(fieldName(expected.alloys[0]?.alloyId ?? 0, "counted"));
  const { submit, busy } = useSubmit((headers, body: DayIn) => closeDay(headers, body));
  const { ask, question } = useQuestion();
  const isMine = useSignedIn().user.id === userId;
  const needsSign = !useMay("ManageMetal") && !isMine;
  const isSigned = badge !== null || PIN.test(pin) || (pin === "" && !needsSign);
  const isReady = isSigned && (far === null || reason.trim() !== "");

  async function send() {
    if (!check() || !isReady || busy) return;
    const isUnsigned = !isMine && badge === null && pin === "";
    if (isUnsigned && far === null) {
      const isRight = await ask({
        title: t("day.unsigned.title"),
        text: t("day.unsigned.text", { name: expected.userName }),
        accept: t("day.unsigned.accept"),
        decline: t("day.unsigned.decline"),
      });
      if (!isRight) return;
    }
    setFailure(null);
    try {
      const closed = await submit({
        userId,
        productionProcessId,
        day,
        alloys: expected.alloys.map((alloy) => ({
          alloyId: alloy.alloyId,
          countedGrams: taken(countOf(alloy).counted),
          dustGrams: orNothing(countOf(alloy).dust),
          expectedGrams: alloy.expectedGrams,
        })),
        notes: notes.trim(),
        ...(far === null ? {} : { confirm: true, reason: reason.trim() }),
        ...(badge !== null ? { badge } : pin !== "" ? { pin } : {}),
      });
      if (closed === undefined) return;
      toast.success(t("day.done", { name: closed.userName, number: closed.slipNumber }));
      draft.drop();
      onClosed();
    } catch (thrown) {
      const error = asApiError(thrown);
      const asked = farCounts(error);
      setFar(asked);
      if (asked !== null) return;
      setPin("");
      setFailure(whyNot(error));
    }
    reload();
  }

  return (
    <>
      {question}
      <form
        className="ob-surface ob-padded ob-stack ob-stack--wide"
        aria-label={t("day.countOf", { name: expected.userName })}
        {...sendKeys(() => void send())}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {draft.restored && <DraftNote onDrop={draft.drop} />}
        {expected.alloys.map((alloy) => (
          <AlloyCount
            key={alloy.alloyId}
            alloy={alloy}
            expected={expected}
            count={countOf(alloy)}
            weighing={weighing}
            onWeigh={(field) => {
              // The weight that is on the scale now belongs to the previous field.
              if (field !== weighing) scale.use();
              setWeighing(field);
            }}
            onChange={(change) => {
              setFar(null);
              draft.change({
                counts: { ...counts, [alloy.alloyId]: { ...countOf(alloy), ...change } },
              });
            }}
          />
        ))}
        <div className="ob-fields ob-form-pair">
          <div className="ob-stack ob-stack--tight">
            <label className="ob-strong" htmlFor={`${ids}pin`}>
              {t("day.pin", { name: expected.userName })}
            </label>
            {badge === null ? (
              <Input
                id={`${ids}pin`}
                type="password"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={PIN_LENGTH}
                value={pin}
                onChange={({ target }) => setPin(target.value.replaceAll(/\D/g, ""))}
              />
            ) : (
              <output className="ob-bar ob-metal-signed" id={`${ids}pin`}>
                <CheckCircleFilled aria-hidden /> {t("day.badge")}
              </output>
            )}
            <span className="ob-quiet">
              {t(isMine ? "day.signOwn" : needsSign ? "day.sign" : "day.signAbsent")}
            </span>
          </div>
          <div className="ob-stack ob-stack--tight">
            <label className="ob-strong" htmlFor={`${ids}notes`}>
              {t("field.notes")}
            </label>
            <TextArea
              id={`${ids}notes`}
              value={notes}
              maxLength={TEXT_MOST}
              showCount
              autoSize={{ minRows: 1, maxRows: 4 }}
              onChange={({ target }) => draft.change({ notes: target.value })}
            />
          </div>
        </div>
        {failure !== null && (
          <p className="ob-note ob-note--danger" role="alert">
            {failure}
          </p>
        )}
        {far !== null && <FarNote far={far} reason={reason} onChange={setReason} />}
        <div className="ob-row">
          <SendButton htmlType="submit" size="large" loading={busy} disabled={!isReady}>
            {t(far === null ? "day.save" : "day.saveFar", { name: expected.userName })}
          </SendButton>
        </div>
      </form>
    </>
  );
}

interface FarProps {
  far: FarCount[];
  reason: string;
  onChange: (reason: string) => void;
}

/** Repeat the counts that are far from the books, and ask why they are right. */
function FarNote({ far, reason, onChange }: FarProps) {
  const { t } = useTranslation("metal");
  const language = useLanguage();
  const id = useId();
  const field = useRef<InputRef>(null);
  const inGrams = (grams: number) => formatGrams(grams, language);

  useEffect(() => field.current?.focus(), []);

  return (
    <div className="ob-stack ob-stack--tight">
      <div className="ob-note ob-note--danger" role="alert">
        {far.map(({ alloyId, alloy, expected, counted, dust, difference, allowed }) => (
          <p key={alloyId}>
            {t("day.far", {
              alloy,
              counted: inGrams(counted),
              dust: inGrams(dust),
              expected: inGrams(expected),
            })}{" "}
            <strong>
              {t(differenceName(difference))} {difference !== 0 && inGrams(Math.abs(difference))}
            </strong>
            {difference >= 0 && ` · ${t("day.farAllowed", { allowed: inGrams(allowed) })}`}
          </p>
        ))}
      </div>
      <label className="ob-strong" htmlFor={id}>
        {t("day.farReason")}
      </label>
      <Input
        id={id}
        ref={field}
        required
        maxLength={TEXT_MOST}
        autoComplete="off"
        value={reason}
        onChange={({ target }) => onChange(target.value)}
      />
      <span className="ob-quiet">{t("day.farHint")}</span>
    </div>
  );
}

/** Return the message of the first refused field, because it says more than that of the refusal. */
function whyNot(error: ApiError): string {
  return error.errors[0]?.message || errorText(error);
}

interface CountProps {
  alloy: Expected;
  expected: ExpectedDay;
  count: Count;
  weighing: string;
  onWeigh: (field: string) => void;
  onChange: (change: Partial<Count>) => void;
}

function AlloyCount({ alloy, expected, count, weighing, onWeigh, onChange }: CountProps) {
  const { t } = useTranslation("metal");
  const id = useId();
  const weigh = (part: keyof Count) => ({
    id: id + part,
    fromZero: true,
    fromScale: weighing === fieldName(alloy.alloyId, part),
    value: count[part],
    onChange: (grams: Typed) => onChange({ [part]: grams }),
    onEnter: () => goAfter(id + part),
  });
  return (
    <fieldset className="ob-box ob-metal-count">
      <legend>{alloy.alloyName}</legend>
      <dl className="ob-words">
        <dt>{t("day.expected")}</dt>
        <dd className="ob-large ob-strong">
          <Grams grams={alloy.expectedGrams} />
        </dd>
      </dl>
      <div
        className="ob-stack ob-stack--tight"
        onFocus={() => onWeigh(fieldName(alloy.alloyId, "counted"))}
      >
        <label className="ob-strong" htmlFor={`${id}counted`}>
          {t("day.counted")}
        </label>
        <WeightField {...weigh("counted")} required />
        <span className="ob-quiet">{t("day.nothing")}</span>
      </div>
      <div
        className="ob-stack ob-stack--tight"
        onFocus={() => onWeigh(fieldName(alloy.alloyId, "dust"))}
      >
        <label className="ob-strong" htmlFor={`${id}dust`}>
          {t("day.dustField")}
        </label>
        <WeightField {...weigh("dust")} />
      </div>
      <DifferenceNote difference={differenceOf(alloy, count)} expected={expected} />
    </fieldset>
  );
}

/** Go to the field after this one: a keyboard scale ends each weight with Enter. */
function goAfter(id: string): void {
  const field = document.querySelector<HTMLInputElement>(`[id="${id}"]`);
  const fields = [...(field?.form?.querySelectorAll("input") ?? [])];
  if (field !== null) fields[fields.indexOf(field) + 1]?.focus();
}

interface NoteProps {
  difference: Difference | null;
  expected: ExpectedDay;
}

/**
 * Say what is missing or too much and where it goes, and show the loss beside what the process
 * allows.
 */
function DifferenceNote({ difference, expected }: NoteProps) {
  const { t } = useTranslation("metal");
  const language = useLanguage();
  const { allowedLoss, recovers } = expected;
  if (difference === null) return <p className="ob-quiet">{t("day.toCount")}</p>;
  const { grams, perMille, lost, received } = difference;
  const over = isOver({ grams: lost, came: received, allowed: allowedLoss });
  return (
    <p className={over ? "ob-doubtful" : ""} role="status">
      <strong>
        {t(differenceName(grams))} {grams !== 0 && formatGrams(Math.abs(grams), language)}
      </strong>
      {perMille !== null && (
        <span className="ob-metal-aside">
          {t("day.loss", { share: formatLossShare(perMille, language) })}
          {allowedLoss !== null &&
            ` · ${t("day.allowed", { share: formatLossShare(allowedLoss, language) })}`}
        </span>
      )}
      {grams > 0 && (
        <span className="ob-quiet ob-metal-aside">{t(recovers ? "day.toDust" : "day.toLost")}</span>
      )}
    </p>
  );
}
