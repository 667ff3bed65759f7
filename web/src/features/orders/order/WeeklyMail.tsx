/** Ask for the address that gets a weekly mail about the lines of a link. */
import Input from "antd/es/input/Input";
import Segmented from "antd/es/segmented";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useAnswer } from "@/shared/http/data";
import { PREFERENCES } from "@/shared/http/keys";
import { EMAIL } from "@/shared/session/emailRule";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "@/shared/language";

/** The address of the weekly mail, "" for no mail, and the language of the mail. */
export interface Mailed {
  mailTo: string;
  mailLanguage: Language;
}

interface Props {
  mailed: Mailed;
  /**
   * The field's label and the hint below it. Absent for a new link, which has its own texts, and its choice of a
   * language elsewhere.
   */
  label?: string;
  hint?: string;
  onChange: (change: Partial<Mailed>) => void;
}

const EMAIL_MOST = 254;

export const isWrongAddress = (typed: string) => typed.trim() !== "" && !EMAIL.test(typed.trim());

export function WeeklyMail(props: Props) {
  const { mailTo, mailLanguage } = props.mailed;
  const { label, hint, onChange } = props;
  const { t } = useTranslation("orders");
  const id = useId();
  const { data: preferences } = useAnswer(PREFERENCES, {}, { quiet: true });
  const isOff = preferences?.mailServer === false;
  const isWrong = isWrongAddress(mailTo);
  // Without a mail server, users can remove an address but not add one.
  const isLocked = isOff && mailTo === "";
  return (
    <div className="ob-stack ob-stack--tight">
      <label htmlFor={id}>{label ?? t("share.weekly")}</label>
      <div className="ob-row">
        <Input
          id={id}
          className="ob-fill"
          inputMode="email"
          autoComplete="off"
          maxLength={EMAIL_MOST}
          disabled={isLocked}
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          value={mailTo}
          onChange={({ target }) => onChange({ mailTo: target.value })}
        />
        {label !== undefined && (
          <Segmented<Language>
            aria-label={t("share.weeklyLanguage")}
            disabled={isOff}
            value={mailLanguage}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            onChange={(language) => onChange({ mailLanguage: language })}
          />
        )}
      </div>
      <p id={`${id}-hint`} className="ob-quiet ob-small">
        {isOff && t("share.weeklyOff")}
        {!isOff && (isWrong ? t("share.weeklyWrong") : (hint ?? t("share.weeklyHint")))}
      </p>
    </div>
  );
}
