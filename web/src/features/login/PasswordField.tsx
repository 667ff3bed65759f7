/** A password that can be shown, with what is wrong with it below. Plain, as the sign-in is. */
import EyeInvisibleOutlined from "@ant-design/icons/es/icons/EyeInvisibleOutlined";
import EyeOutlined from "@ant-design/icons/es/icons/EyeOutlined";
import { useState } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: "current-password" | "new-password";
  maxLength?: number;
  error: string | null;
}

export function PasswordField({ id, label, value, onChange, error, ...rest }: Props) {
  const { t } = useTranslation("login");
  const [shown, setShown] = useState(false);
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div className="ob-login__password">
        <input
          {...rest}
          className="ob-login__field"
          id={id}
          type={shown ? "text" : "password"}
          value={value}
          aria-invalid={error !== null}
          aria-describedby={`${id}-error`}
          onChange={(event) => onChange(event.target.value)}
        />
        <button
          className="ob-login__eye"
          type="button"
          aria-label={shown ? t("hidePassword") : t("showPassword")}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
        </button>
      </div>
      <p className="ob-login__error" id={`${id}-error`} role="alert">
        {error}
      </p>
    </>
  );
}
