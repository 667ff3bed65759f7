/** Knows which fields of a form cannot be taken as they stand: nothing is sent while one of them is there. */
import {
  createContext,
  useCallback,
  useContext,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";

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
