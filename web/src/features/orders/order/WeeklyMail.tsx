/** Ask for the address that is mailed each week how the lines of a link are. */
import Input from "antd/es/input/Input";
import Segmented from "antd/es/segmented";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useAnswer } from "@/shared/http/data";
import { PREFERENCES } from "@/shared/http/keys";
import { EMAIL } from "@/shared/session/emailRule";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "@/shared/session/language";

/** Where the weekly mail goes, "" if nobody is mailed, and its language. */
export interface Mailed {
  mailTo: string;
  mailLanguage: Language;
}

interface Props {
  mailed: Mailed;
  /** What the field is called and what it says below, unless the link is new. */
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
  // Where no mails are sent an address can be taken away, and none can be given.
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
        <Segmented<Language>
          aria-label={t("share.weeklyLanguage")}
          disabled={isOff}
          value={mailLanguage}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          onChange={(language) => onChange({ mailLanguage: language })}
        />
      </div>
      <p id={`${id}-hint`} className="ob-quiet ob-small">
        {isOff && t("share.weeklyOff")}
        {!isOff && (isWrong ? t("share.weeklyWrong") : (hint ?? t("share.weeklyHint")))}
      </p>
    </div>
  );
}
