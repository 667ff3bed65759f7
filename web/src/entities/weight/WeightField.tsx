/**
 * Field for a weight in grams, which a person or a keyboard scale types, or which is read from the
 * device's scale. It keeps the typed text, and says below it why a text is not a weight.
 */
import Button from "antd/es/button";
import type { InputRef } from "antd/es/input";
import Input from "antd/es/input/Input";
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from "react";
import { useTranslation } from "react-i18next";
import { useReportedField } from "@/shared/form/FormParts";
import { textOf, type Typed } from "@/shared/format/typedNumber";
import { QUICK } from "@/shared/keyboard/pace";
import { lazyPart } from "@/shared/ui/lazyPart";
import {
  MOST_GRAMS,
  problemOf,
  readScale,
  readWeight,
  weightProblem,
  type Reading,
  type WeightProblem,
} from "./readings";
import { scale } from "./scale";
import "@/shared/form/form.css";
import "./weight.css";

const ScaleDialog = lazyPart(() => import("./ScaleDialog"));

/** The fewest characters that a scale types. */
const SHORTEST = 3;
/** Milliseconds for which the field keeps the focus after a scale's Enter: some scales send it twice. */
const HOLD = 300;

interface Props {
  value?: Typed;
  onChange?: (typed: Typed) => void;
  required?: boolean;
  /** Whether 0 is allowed. */
  fromZero?: boolean;
  /**
   * Take the readings of the device's scale, and offer to connect it. Only one field of a page may
   * do so.
   */
  fromScale?: boolean;
  /** Why the server refused the weight, and what to do. */
  refused?: string | null;
  /** Called by Enter after a weight that can be sent. Without it the form's button gets the focus. */
  onEnter?: () => void;
  id?: string;
  ref?: Ref<InputRef>;
  size?: "large";
  "aria-label"?: string;
  "aria-describedby"?: string;
  /** Set by the form while it shows the server's error at the field. */
  "aria-invalid"?: boolean | "true" | "false";
}

export function WeightField(props: Props) {
  const { value = null, onChange, required = false, fromZero = false, ...others } = props;
  const { fromScale = false, refused = null, onEnter, ...rest } = others;
  const [text, setText] = useState(textOf(value));
  const [touched, setTouched] = useState(false);
  /** Why the scale's last reading cannot be used; null if it can. */
  const [note, setNote] = useState<WeightProblem | null>(null);
  const [isTapped, setTapped] = useState(false);
  /** The text of the scale's last weight. */
  const given = useRef("");
  const sayProblem = useProblemText();
  const whyId = useId();
  const problem = weightProblem(value, required, fromZero);
  const isSaid = useReportedField(problem !== null, value === null && !touched);
  const why = refused ?? (isSaid && problem !== null ? sayProblem(problem) : null);
  const said = why ?? (note === null ? null : sayProblem(note));
  const isShown = said !== null && String(rest["aria-invalid"]) !== "true";
  const describedBy = [rest["aria-describedby"], isShown ? whyId : undefined];
  // Keep "12,50" as typed while it is equal to the value.
  const shown = readWeight(text) === value ? text : textOf(value);

  function take(reading: Reading, typed: boolean): void {
    // A reading does not replace what a person typed.
    if (!typed && shown !== "" && shown !== given.current) return;
    const lacks = problemOf(reading);
    if (reading.kind === "stable" && lacks === null) {
      given.current = String(reading.grams);
      setText(given.current);
      onChange?.(reading.grams);
    }
    // Between two pieces the scale is empty or moves: report nothing then.
    const isEmpty = lacks?.why === "zero" || lacks?.why === "negative";
    const isUsual = isEmpty || (lacks?.why === "moving" && value !== null);
    setNote(isUsual && !typed ? null : lacks);
  }
  const onReading = useEffectEvent(take);
  useEffect(
    () => (fromScale ? scale.listen((reading, typed) => onReading(reading, typed)) : undefined),
    [fromScale],
  );
  const onKeyDown = useEnter({
    problem,
    take,
    onRefused: () => typeof value === "number" && onChange?.(null),
    onWrong: () => setTouched(true),
    onEnter,
  });

  return (
    <span className="ob-stack ob-stack--tight ob-number">
      <span className="ob-bar">
        <Input
          {...rest}
          data-weight=""
          // The field has the focus so that a keyboard scale can type. Show the on-screen keyboard
          // only after a touch.
          inputMode={fromScale && !isTapped ? "none" : "decimal"}
          autoComplete="off"
          suffix={<>g{fromScale && scale.isSupported && <ScaleButton />}</>}
          value={shown}
          {...(why === null ? {} : { status: "error" as const })}
          aria-required={required}
          aria-invalid={isShown && why !== null}
          aria-describedby={describedBy.filter(Boolean).join(" ") || undefined}
          onPointerDown={() => setTapped(true)}
          onFocus={({ target }) => target.select()}
          onBlur={() => setTouched(true)}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTouched(true);
            setNote(null);
            setText(target.value);
            onChange?.(readWeight(target.value));
          }}
        />
      </span>
      {isShown && (
        <span
          className={why === null ? "ob-doubtful" : "ob-number__why"}
          id={whyId}
          role={why === null ? "status" : "alert"}
        >
          {said}
        </span>
      )}
    </span>
  );
}

interface Entering {
  problem: WeightProblem | null;
  take: (reading: Reading, typed: boolean) => void;
  /** Called with a scale's text that is no weight in grams. */
  onRefused: () => void;
  onWrong: () => void;
  onEnter: (() => void) | undefined;
}

/**
 * Leave the field by Enter, once its weight can be sent. A text came from a scale if it was typed
 * faster than a person can type.
 */
function useEnter({ problem, take, onRefused, onWrong, onEnter }: Entering) {
  const keys = useRef({ count: 0, at: -Infinity });
  const held = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(held.current), []);

  return (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, timeStamp, currentTarget: field } = event;
    const { count, at } = keys.current;
    const pause = timeStamp - at;
    if (key.length === 1) keys.current = { count: pause <= QUICK ? count + 1 : 1, at: timeStamp };
    if (key !== "Enter" || event.nativeEvent.isComposing) return;
    keys.current = { count: 0, at: timeStamp };
    const isScale = count >= SHORTEST && pause <= 2 * QUICK;
    const reading = isScale ? readScale(field.value) : null;
    if (reading !== null) take(reading, true);
    // A scale's "gr" may be grains, though a person who types it means grams.
    if (reading?.kind === "refused") onRefused();
    const isGood = reading === null ? problem === null : problemOf(reading) === null;
    const button = field.form?.querySelector<HTMLElement>('[type="submit"]');
    // A form without a send button handles Enter itself.
    if (isGood && onEnter === undefined && !button) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isGood) onWrong();
    if (!isGood || held.current !== undefined || event.repeat) return;
    const leave = () => {
      held.current = undefined;
      (onEnter ?? (() => button?.focus()))();
    };
    if (isScale) held.current = setTimeout(leave, HOLD);
    else leave();
  };
}

function useProblemText(): (problem: WeightProblem) => string {
  const { t } = useTranslation("weight");
  return (problem) => t(`problem.${problem.why}`, { ...problem, most: MOST_GRAMS });
}

/**
 * Button that opens the dialog to connect a scale, inside its field. It shows whether one is
 * connected. It is no tab stop, because Tab must go from weight to weight, and takes neither width
 * nor height from the field, because some forms show it only in the field that has the focus.
 */
function ScaleButton() {
  const { t } = useTranslation("weight");
  const { connected, settings } = scale.state.use();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => void scale.resume(), []);
  const state = connected ? "connected" : settings === null ? "none" : "away";
  return (
    <>
      <Button
        tabIndex={-1}
        className={`ob-scale ob-scale--${state}`}
        aria-label={t(`scale.is.${state}`)}
        title={t(`scale.is.${state}`)}
        // The field keeps the focus, and with it the form keeps this button.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setOpen(true)}
      >
        {t("scale.button")}
      </Button>
      {isOpen && <ScaleDialog onClose={() => setOpen(false)} />}
    </>
  );
}
