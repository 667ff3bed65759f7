/** Sign-in page. It uses plain fields, so that it shows before the component library is loaded. */
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useStartFocus } from "@/shared/hooks/focus";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useSignOutWaits } from "@/shared/http/signOuts";
import { readEndReason } from "@/shared/session/session";
import { keepsNothing } from "@/shared/stored";
import { toast } from "@/shared/ui/toast";
import { VERSION } from "@/shared/version";
import { PasswordField } from "./PasswordField";
import { PublicPage } from "./PublicPage";
import { emailProblem, submitProblem } from "./rules";
import { signIn, stepOf, type Step } from "./signIn.api";
import { lazyPart } from "@/shared/ui/lazyPart";

const SecondStep = lazyPart(() => import("./SecondStep"), "page");
const OtherDoors = lazyPart(() => import("./OtherDoors"), "unseen");
const RECOVER_SECONDS = 5;

export default function LoginPage() {
  const { t } = useTranslation("login");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [ended] = useState(readEndReason);
  const signOutWaits = useSignOutWaits();
  const [tried, setTried] = useState(false);
  // The toast disappears, but e-mail and password stay marked until the user changes one of them.
  const [refused, setRefused] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  useStartFocus("email");
  const { submit, busy } = useSubmit((_headers, username: string, secret: string) =>
    signIn(username, secret),
  );

  const username = email.trim();
  const emailError = tried ? emailProblem(username) : null;
  const passwordError = tried && password === "" ? "passwordRequired" : refused ? "noMatch" : null;

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    const problem = submitProblem(username);
    if (problem !== null) return toast.warning(t(`errors.${problem}`));
    if (password === "") return undefined;
    try {
      return await submit(username, password);
    } catch (reason) {
      const error = asApiError(reason);
      const { code, params, status } = error;
      const next = stepOf(error);
      if (next !== null) return setStep(next);
      if (code === "company_only") return toast.error(error.message);
      if (code === "invalid_credentials") {
        setRefused(true);
        return toast.error(t("errors.credentials"));
      }
      if (status !== 429) return toast.error(t("errors.server"));
      const seconds = Number(params["retryAfter"]);
      const minutes = Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds / 60)) : 15;
      return toast.error(t("errors.throttled", { count: minutes }));
    }
  }

  function onRecover() {
    if (submitProblem(username) !== null) {
      toast.warning(t("errors.emailMissing"), RECOVER_SECONDS);
    } else {
      window.open(`#/Recuperar/${encodeURIComponent(username)}`, "_blank", "noopener");
    }
  }

  if (step !== null) return <SecondStep step={step} onBack={() => setStep(null)} />;
  return (
    <PublicPage title={t("heading")}>
      <p className="ob-quiet ob-login__address">{t("subtitle")}</p>
      {keepsNothing() && (
        <p className="ob-note ob-note--warning ob-below" role="status">
          {t("keepsNothing")}
        </p>
      )}
      {ended !== null && (
        <p className="ob-note ob-below" role="status">
          {t(`ended.${ended}`)}
        </p>
      )}
      {signOutWaits && (
        <p className="ob-note ob-below" role="status">
          {t("signOutWaits")}
        </p>
      )}
      <form noValidate onSubmit={(event) => void onSubmit(event)}>
        <label htmlFor="email">{t("email")}</label>
        <input
          className="ob-login__field"
          id="email"
          type="email"
          // oxlint-disable-next-line jsx-a11y/autocomplete-valid -- the standard's word for passkeys
          autoComplete="username webauthn"
          value={email}
          aria-invalid={emailError !== null || refused}
          aria-describedby="email-error"
          onChange={(event) => {
            setEmail(event.target.value);
            setRefused(false);
          }}
        />
        <p className="ob-small ob-wrong ob-login__error" id="email-error" role="alert">
          {emailError !== null && t(`errors.${emailError}`)}
        </p>
        <PasswordField
          id="password"
          label={t("password")}
          value={password}
          onChange={(typed) => {
            setPassword(typed);
            setRefused(false);
          }}
          autoComplete="current-password"
          error={passwordError === null ? null : t(`errors.${passwordError}`)}
        />
        <button className="ob-login__recover" type="button" onClick={onRecover}>
          {t("recover")}
        </button>
        <button className="ob-login__submit" type="submit" aria-busy={busy}>
          {t("submit")}
        </button>
      </form>
      <OtherDoors onStep={setStep} />
      <p className="ob-quiet ob-above">
        {t("privacyBefore")} <Link to="/privacy">{t("privacyLink")}</Link>.
      </p>
      <p className="ob-quiet ob-small ob-above">{t("version", { version: VERSION })}</p>
    </PublicPage>
  );
}
