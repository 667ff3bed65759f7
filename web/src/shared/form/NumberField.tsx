/** A number field that keeps the typed text: it does not clamp, round or fill in, and shows errors below the field. */
import type { InputRef } from "antd/es/input";
import Input from "antd/es/input/Input";
import { useId, useState, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import {
  problemOf,
  readTyped,
  textOf,
  type NumberRule,
  type Typed,
} from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { useReportedField } from "./FormParts";
import "./form.css";

interface Props {
  rule: NumberRule;
  value?: Typed;
  onChange?: (typed: Typed) => void;
  /** Messages for this field: "Only 18 are inside", "Type how many". */
  words?: { tooMany?: string; missing?: string };
  id?: string;
  ref?: Ref<InputRef>;
  className?: string;
  suffix?: string;
  size?: "large";
  disabled?: boolean;
  "aria-label"?: string;
  "aria-describedby"?: string;
  /** Set by the form while it shows the server's error at the field. */
  "aria-invalid"?: boolean | "true" | "false";
}

export function NumberField(props: Props) {
  const { rule, value = null, onChange, words, className = "", ...rest } = props;
  const [text, setText] = useState(textOf(value));
  const [touched, setTouched] = useState(false);
  const whyId = useId();
  const problem = useProblemText(value, rule, words);
  const said = useReportedField(problem !== null, value === null && !touched) ? problem : null;
  const refused = String(rest["aria-invalid"]) === "true";
  const describedBy = [rest["aria-describedby"], said === null ? undefined : whyId];
  return (
    <span className={`ob-stack ob-stack--tight ob-number ${className}`}>
      <Input
        {...rest}
        inputMode={rule.decimals === undefined ? "numeric" : "decimal"}
        autoComplete="off"
        // Keep "1.50" as typed while it is equal to the value.
        value={readTyped(text, rule) === value ? text : textOf(value)}
        {...(said === null ? {} : { status: "error" as const })}
        aria-invalid={refused || said !== null}
        aria-describedby={describedBy.filter(Boolean).join(" ") || undefined}
        onBlur={() => setTouched(true)}
        onChange={({ target }) => {
          setTouched(true);
          setText(target.value);
          onChange?.(readTyped(target.value, rule));
        }}
      />
      {said !== null && !refused && (
        <span className="ob-number__why" id={whyId} role="alert">
          {said}
        </span>
      )}
    </span>
  );
}

/** The error message of a typed number; null if it is valid. */
export function useProblemText(
  value: Typed,
  rule: NumberRule,
  words: Props["words"],
): string | null {
  const { t } = useTranslation("forms");
  const language = useLanguage();
  const problem = problemOf(value, rule);
  if (problem === null) return null;
  switch (problem.why) {
    case "missing":
      return words?.missing ?? t("number.missing");
    case "tooMany":
      return words?.tooMany ?? t("number.tooMany", { most: formatNumber(problem.most, language) });
    case "tooFew":
      return t("number.tooFew", { least: formatNumber(problem.least, language) });
    case "grouped":
      return t("number.grouped", { digits: problem.digits });
    case "decimals":
      return problem.decimals === 0
        ? t("number.notWhole")
        : t("number.decimals", { decimals: problem.decimals });
    case "notNumber":
    case "notWhole":
    case "comma":
      return t(`number.${problem.why}`);
  }
}
