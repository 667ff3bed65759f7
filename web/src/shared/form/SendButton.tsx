/** Sends the form of its scope: off while a field in it is wrong, and it says which keys do the same. */
import Button, { type ButtonProps } from "antd/es/button";
import { useTranslation } from "react-i18next";
import { useFormScope } from "./FormScope";
import { SEND_KEYS } from "./sendKeys";

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
