/**
 * A field for a new PIN, with a button that proposes one. The PIN is readable, so that the user can
 * tell it to the person.
 */
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import { PIN_DIGITS, proposedPin } from "./values";

interface Props {
  id?: string;
  value?: string;
  onChange?: (pin: string) => void;
}

export function PinInput({ value = "", onChange, ...rest }: Props) {
  const { t } = useTranslation("administration");
  return (
    <div className="ob-bar">
      <Input
        {...rest}
        value={value}
        inputMode="numeric"
        autoComplete="off"
        maxLength={PIN_DIGITS}
        className="ob-station-access__pin"
        onChange={({ target }) => onChange?.(target.value)}
      />
      <Button onClick={() => onChange?.(proposedPin())}>{t("user.station.propose")}</Button>
    </div>
  );
}
