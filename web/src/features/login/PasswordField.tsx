/**
 * Password field with a button that shows the password, and the error below. Uses no Ant Design,
 * like the sign-in page.
 */
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
          <Eye struck={shown} />
        </button>
      </div>
      <p className="ob-small ob-wrong ob-login__error" id={`${id}-error`} role="alert">
        {error}
      </p>
    </>
  );
}

/** Drawn here, because a library icon would load the library on the sign-in page. */
function Eye({ struck }: { struck: boolean }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={20}
      height={20}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M1.5 10C3.3 6.3 6.4 4.5 10 4.5s6.700 1.800 8.500 5.500c-1.800 3.700-4.900 5.500-8.500 5.500S3.3 13.700 1.500 10z" />
      <circle cx={10} cy={10} r={2.6} />
      {struck && <path d="M3.500 16.500l13-13" />}
    </svg>
  );
}
