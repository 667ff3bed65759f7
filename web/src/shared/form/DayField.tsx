/**
 * A day field: `YYYY-MM-DD` on screen and in the form's values, with a calendar in the user's language. `18/12`,
 * `18/12/2026`, `2026/12/18`, `20261218` and `18 dic 2026` are understood too.
 */
import DatePicker from "antd/es/date-picker";
import enGB from "antd/es/date-picker/locale/en_GB";
import esES from "antd/es/date-picker/locale/es_ES";
import dayjs from "dayjs";
import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useReportedField } from "./FormParts";
import { dayTyped } from "@/shared/format/typedDay";
import { useLanguage } from "@/shared/i18n";
import { useClear } from "@/shared/ui/useClear";
import "dayjs/locale/en-gb";
import "dayjs/locale/es";
import "./form.css";

const CALENDARS = { en: enGB, es: esES };
const DAYJS = { en: "en-gb", es: "es" };
const FORMAT = "YYYY-MM-DD";

interface Props {
  id?: string;
  value?: string | null;
  onChange?: (day: string | null) => void;
  placeholder?: string;
  disabled?: boolean;
  allowClear?: boolean;
  /** The error of an empty field that must have a value. */
  missing?: string;
  autoFocus?: boolean;
  "aria-label"?: string;
}

export function DayField(props: Props) {
  const { value, onChange, placeholder = FORMAT, missing, allowClear = true, ...rest } = props;
  const { t } = useTranslation("shared");
  const clear = useClear();
  const language = useLanguage();
  const calendar = CALENDARS[language];
  const whyId = useId();
  // Keep an invalid text and show an error; the calendar alone would restore the old day.
  const [wrong, setWrong] = useState<"typed" | "empty" | null>(null);
  useReportedField(wrong !== null);
  // The calendar marks a short day as wrong and keeps it on screen: draw another one, which shows the whole day.
  const [drawn, setDrawn] = useState(0);
  // Memoized, because the calendar replaces the typed text when it gets a new object, even for the same day.
  const held = useMemo(
    () => (value ? dayjs(value, FORMAT).locale(DAYJS[language]) : null),
    [value, language],
  );

  function take(day: string | null) {
    setWrong(null);
    onChange?.(day);
  }

  function onLeft(text: string) {
    // The calendar reports the typed day a moment later, too late for a form that is sent now.
    const day = text === "" ? null : dayTyped(text.trim());
    if (day !== null && day !== text) setDrawn(drawn + 1);
    if (text !== "" && day === null) setWrong("typed");
    else if (day === (value || null)) setWrong(null);
    else if (day === null && !allowClear) setWrong("empty");
    else take(day);
  }

  return (
    <span className="ob-stack ob-stack--tight ob-day-field">
      <DatePicker
        {...rest}
        key={drawn}
        allowClear={allowClear && clear}
        locale={{ ...calendar, lang: { ...calendar.lang, clear: t("days.clear") } }}
        format={FORMAT}
        placeholder={placeholder}
        preserveInvalidOnBlur
        // No preview: it would show the day under the pointer in the field as if it had been typed.
        previewValue={false}
        {...(wrong !== null ? { status: "error" as const, "aria-describedby": whyId } : {})}
        value={held}
        onBlur={({ target }) => {
          if (target instanceof HTMLInputElement) onLeft(target.value);
        }}
        onChange={(day) => take(day === null ? null : day.format(FORMAT))}
      />
      {wrong !== null && (
        <span className="ob-number__why" id={whyId} role="alert">
          {wrong === "empty" && missing !== undefined
            ? missing
            : t("days.wrong", { format: FORMAT })}
        </span>
      )}
    </span>
  );
}
