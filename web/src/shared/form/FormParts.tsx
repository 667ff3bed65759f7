/**
 * The parts of every form: scope, fields, send button and errors. Nothing is sent while a field is wrong. A field that
 * nobody touched says what is wrong with it only after an attempt to send.
 */
import Button, { type ButtonProps } from "antd/es/button";
import Form, { type FormInstance, type FormProps } from "antd/es/form";
import i18next from "i18next";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useHand } from "@/shared/hooks/browser";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { fieldErrors, toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { SEND_KEYS } from "@/shared/keyboard/sendKeys";
import { unfold } from "./Folded";
import { useFormKeys } from "./useFormKeys";

type Props<V> = Omit<FormProps<V>, "form" | "children"> & {
  form: FormInstance<V>;
  /**
   * Whether the form is being sent. It cannot be changed until the answer, because it may close
   * with it.
   */
  busy: boolean;
  children: ReactNode;
};

/** The main button of a form that is a page. The keys that send the form do what it does. */
const MAIN = ".ob-form-bar .ant-btn-primary:enabled";

export function FormBody<V extends object>({
  form,
  onFinish,
  onFinishFailed,
  onValuesChange,
  busy,
  ...props
}: Props<V>) {
  const { check, showErrors } = useFormScope();
  const element = useRef<FormInstance<V> & { nativeElement?: HTMLElement }>(null);
  const send = () => {
    const main = element.current?.nativeElement?.querySelector<HTMLElement>(MAIN);
    if (main) main.click();
    else form.submit();
  };
  const keys = useFormKeys(() => element.current?.nativeElement, busy, send);
  // No initial focus on touch screens: it would open the keyboard over the form.
  const hand = useHand();
  const startsAtFirst = useEffectEvent(() => !hand && !props.disabled);
  useEffect(() => {
    // Wait a frame: the dialog takes the focus when it opens.
    const turn = requestAnimationFrame(() => {
      if (startsAtFirst()) focusFirst(element.current?.nativeElement);
    });
    return () => cancelAnimationFrame(turn);
  }, []);
  return (
    <Form<V>
      ref={element}
      layout="vertical"
      requiredMark={false}
      {...props}
      {...keys}
      form={form}
      onValuesChange={(changed, values) => {
        dropErrors(form, changed);
        onValuesChange?.(changed, values);
      }}
      onFinish={(values) => {
        if (check()) onFinish?.(values);
      }}
      onFinishFailed={(failed) => {
        showErrors();
        unfold();
        onFinishFailed?.(failed);
      }}
    />
  );
}

/** Remove the errors of changed fields. Ant Design keeps them on fields without rules. */
function dropErrors(form: FormInstance, changed: object): void {
  const wrong = form.getFieldsError().filter(({ errors }) => errors.length > 0);
  const fields = wrong
    .filter(({ name }) => isIn(changed, name))
    .map(({ name }) => ({ name, errors: [] }));
  if (fields.length > 0) form.setFields(fields);
}

function isIn(changed: unknown, [part, ...rest]: readonly (string | number)[]): boolean {
  if (part === undefined) return true;
  return (
    typeof changed === "object" &&
    changed !== null &&
    Object.hasOwn(changed, part) &&
    isIn((changed as Record<string | number, unknown>)[part], rest)
  );
}

/** Focus the first text field of a dialog, unless it is a date: that would open its calendar over the other fields. */
function focusFirst(form: HTMLElement | undefined): void {
  if (form === undefined || form.closest('[role="dialog"]') === null) return;
  if (form.contains(document.activeElement)) return;
  const first = form.querySelector<HTMLElement>(
    'input:not([type="hidden"], [type="file"], :disabled), textarea:not(:disabled)',
  );
  if (first?.closest(".ant-picker") === null) first.focus({ preventScroll: true });
}

/** Focus the first wrong field, which shows its error. */
function goToFirstWrong(): void {
  unfold();
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}

/**
 * The send button of a form: disabled while a field in its scope is wrong. The title of the main one names the keys that
 * also send.
 */
export function SendButton({ disabled = false, type = "primary", ...props }: ButtonProps) {
  const { t } = useTranslation("forms");
  const { wrong } = useFormScope();
  const keys = type === "primary" && {
    title: t("sendKeys", { keys: SEND_KEYS }),
    "aria-keyshortcuts": "Control+Enter Meta+Enter",
  };
  return (
    <Button
      type={type}
      {...keys}
      {...(wrong && { title: t("fix") })}
      {...props}
      disabled={disabled || wrong}
    />
  );
}

interface Scope {
  /** Whether a field shows that it is wrong. */
  wrong: boolean;
  /** How often somebody tried to send the form while a field was wrong. */
  tries: number;
  /** Let every wrong field say so. */
  showErrors: () => void;
  /** Return whether no field is wrong. Else let every wrong field say so, and focus the first one. */
  check: () => boolean;
  report: (field: string, problem: FieldProblem) => void;
}

/** `silent`: the field is wrong and does not say so yet. */
type FieldProblem = "none" | "silent" | "shown";

const ScopeContext = createContext<Scope | null>(null);

/** Wraps a form and its buttons, and collects which fields are wrong. */
export function FormScope({ children }: { children: ReactNode }) {
  const fields = useRef(new Map<string, FieldProblem>());
  const [wrong, setWrong] = useState(false);
  const [tries, setTries] = useState(0);
  const report = useCallback((field: string, problem: FieldProblem) => {
    if (problem === "none") fields.current.delete(field);
    else fields.current.set(field, problem);
    setWrong([...fields.current.values()].includes("shown"));
  }, []);
  const showErrors = useCallback(() => setTries((before) => before + 1), []);
  const check = useCallback(() => {
    if (fields.current.size === 0) return true;
    // An error must be rendered before its field is found by it.
    flushSync(showErrors);
    goToFirstWrong();
    return false;
  }, [showErrors]);
  const scope = useMemo(
    () => ({ wrong, tries, showErrors, check, report }),
    [wrong, tries, showErrors, check, report],
  );
  return <ScopeContext.Provider value={scope}>{children}</ScopeContext.Provider>;
}

export function useFormScope(): Scope {
  const scope = useContext(ScopeContext);
  if (scope === null) throw new Error("A form and its buttons stand in a FormScope.");
  return scope;
}

/**
 * Report whether a field is wrong to the form around it, if there is one. Returns whether the field may say so: not
 * while it is `silent` and nobody has tried to send the form since it appeared.
 */
export function useReportedField(wrong: boolean, silent = false): boolean {
  const scope = useContext(ScopeContext);
  const report = scope?.report;
  const tries = scope?.tries ?? 0;
  const [before] = useState(tries);
  const shown = wrong && (!silent || tries > before);
  const field = useId();
  useLayoutEffect(() => {
    report?.(field, shown ? "shown" : wrong ? "silent" : "none");
    return () => report?.(field, "none");
  }, [report, field, wrong, shown]);
  return shown;
}

/** The values of a form, including those that no field shows. */
export function typedIn<V>(form: FormInstance<V>): V {
  return form.getFieldsValue(true);
}

/** One value of a form; undefined if it was never set. */
export function typedAt<V, N extends keyof V>(form: FormInstance<V>, name: N): V[N] | undefined {
  const untyped: FormInstance = form;
  return untyped.getFieldValue(name);
}

/** Show the server's errors at their fields. */
export function showFieldErrors(form: FormInstance, error: ApiError): void {
  form.setFields(fieldErrors(error));
}

/** Show the server's errors at their fields, and errors without a field in a toast. */
export function showRefusal(form: FormInstance, reason: unknown): void {
  const error = asApiError(reason);
  const fields = fieldErrors(error);
  if (fields.length === 0) {
    toastError(error);
    return;
  }
  // After a failed picture upload there is nothing to correct.
  if (error.code !== "picture_failed") toast.error(i18next.t("forms:fix"));
  form.setFields(fields);
  unfold();
  form.scrollToField(fields[0]!.name, { focus: true, block: "center" });
}
