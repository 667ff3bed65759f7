/** The parts of every form: scope, fields, send button and errors. Nothing is sent while a field is wrong. */
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
import { useTranslation } from "react-i18next";
import { useHand } from "@/shared/hooks/browser";
import { asApiError } from "@/shared/http/ApiError";
import { fieldErrors, toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { SEND_KEYS } from "./sendKeys";
import { useFormKeys } from "./useFormKeys";

type Props<V> = Omit<FormProps<V>, "form" | "children"> & {
  form: FormInstance<V>;
  /** Whether the form is being sent. It cannot be changed until the answer, because it may close then. */
  busy: boolean;
  children: ReactNode;
};

export function FormBody<V extends object>({
  form,
  onFinish,
  onValuesChange,
  busy,
  ...props
}: Props<V>) {
  const { isWrong } = useFormScope();
  const element = useRef<FormInstance<V> & { nativeElement?: HTMLElement }>(null);
  const keys = useFormKeys(() => element.current?.nativeElement, busy, form.submit);
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
        if (isWrong()) goToFirstWrong();
        else onFinish?.(values);
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
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}

/** The send button of a form: disabled while a field in its scope is wrong. Its title names the keys that also send. */
export function SendButton({ disabled = false, ...props }: ButtonProps) {
  const { t } = useTranslation("forms");
  const { wrong } = useFormScope();
  return (
    <Button
      type="primary"
      title={wrong ? t("fix") : t("sendKeys", { keys: SEND_KEYS })}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      {...props}
      disabled={disabled || wrong}
    />
  );
}

interface Scope {
  wrong: boolean;
  /** `wrong` at the time of the call, for sending. */
  isWrong: () => boolean;
  report: (field: string, wrong: boolean) => void;
}

const ScopeContext = createContext<Scope | null>(null);

/** Wraps a form and its buttons, and collects which fields are wrong. */
export function FormScope({ children }: { children: ReactNode }) {
  const fields = useRef(new Set<string>());
  const [wrong, setWrong] = useState(false);
  const report = useCallback((field: string, isWrong: boolean) => {
    if (isWrong) fields.current.add(field);
    else fields.current.delete(field);
    setWrong(fields.current.size > 0);
  }, []);
  const scope = useMemo(
    () => ({ wrong, isWrong: () => fields.current.size > 0, report }),
    [wrong, report],
  );
  return <ScopeContext.Provider value={scope}>{children}</ScopeContext.Provider>;
}

export function useFormScope(): Scope {
  const scope = useContext(ScopeContext);
  if (scope === null) throw new Error("A form and its buttons stand in a FormScope.");
  return scope;
}

/** Report whether a field is wrong to the form around it, if there is one. */
export function useReportedField(wrong: boolean): void {
  const report = useContext(ScopeContext)?.report;
  const field = useId();
  useLayoutEffect(() => {
    report?.(field, wrong);
    return () => report?.(field, false);
  }, [report, field, wrong]);
}

/** Show the server's errors at their fields, and errors without a field in a toast. */
export function showRefusal<V>(form: FormInstance<V>, reason: unknown): void {
  const error = asApiError(reason);
  const fields = fieldErrors(error);
  if (fields.length === 0) {
    toastError(error);
    return;
  }
  // After a failed picture upload there is nothing to correct.
  if (error.code !== "picture_failed") toast.error(i18next.t("forms:fix"));
  form.setFields(fields as Parameters<typeof form.setFields>[0]);
  form.scrollToField(fields[0]!.name as Parameters<typeof form.scrollToField>[0], {
    focus: true,
    block: "center",
  });
}
