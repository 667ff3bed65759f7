/** What every form is made of: its scope, its fields, its button and its refusals; nothing is sent while a field is wrong. */
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
  /** It is being sent: until then nothing in it can be changed, since the form may close with the answer. */
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
  // A finger chooses its field itself: the focus would bring the keyboard over the form.
  const hand = useHand();
  const startsAtFirst = useEffectEvent(() => !hand && !props.disabled);
  useEffect(() => {
    // The dialog takes the focus as it comes; only then can a field have it.
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

/** An error is about a value: it goes when the value changes. Ant keeps the errors of a field without rules. */
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

/** In a dialog the focus starts where one types. A date is left alone: it would open its calendar over the others. */
function focusFirst(form: HTMLElement | undefined): void {
  if (form === undefined || form.closest('[role="dialog"]') === null) return;
  if (form.contains(document.activeElement)) return;
  const first = form.querySelector<HTMLElement>(
    'input:not([type="hidden"], [type="file"], :disabled), textarea:not(:disabled)',
  );
  if (first?.closest(".ant-picker") === null) first.focus({ preventScroll: true });
}

/** Beside it stands why it cannot be taken. */
function goToFirstWrong(): void {
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}

/** Sends the form of its scope: off while a field in it is wrong, and it says which keys do the same. */
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
  /** The same, asked at the moment of sending. */
  isWrong: () => boolean;
  report: (field: string, wrong: boolean) => void;
}

const ScopeContext = createContext<Scope | null>(null);

/** Stands around a form and its buttons, wherever they are drawn. */
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

/** A field says whether it can be taken; outside of forms nobody asks. */
export function useReportedField(wrong: boolean): void {
  const report = useContext(ScopeContext)?.report;
  const field = useId();
  useLayoutEffect(() => {
    report?.(field, wrong);
    return () => report?.(field, false);
  }, [report, field, wrong]);
}

/** Puts the server's refusals beside the fields they are about; the rest is said in a toast. */
export function showRefusal<V>(form: FormInstance<V>, reason: unknown): void {
  const error = asApiError(reason);
  const fields = fieldErrors(error);
  if (fields.length === 0) {
    toastError(error);
    return;
  }
  // There is nothing to correct where a picture did not arrive.
  if (error.code !== "picture_failed") toast.error(i18next.t("forms:fix"));
  form.setFields(fields as Parameters<typeof form.setFields>[0]);
  form.scrollToField(fields[0]!.name as Parameters<typeof form.scrollToField>[0], {
    focus: true,
    block: "center",
  });
}
