/** Set a new password with the mailed link, which works once. */
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { isStrong, PASSWORD_MOST } from "@/shared/session/passwordRule";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { PasswordField } from "./PasswordField";
import { PublicPage } from "./PublicPage";
import { resetPassword } from "./signIn.api";

export default function ResetPage() {
  const { t } = useTranslation("login");
  const { token = "" } = useParams();
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const [tried, setTried] = useState(false);
  const [spent, setSpent] = useState(false);
  const { submit, busy } = useSubmit((headers, first: string, second: string) =>
    resetPassword(headers, token, first, second),
  );
  const weak = tried && !isStrong(password);
  const differs = tried && confirmation !== password;

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (password === "" || confirmation === "") return toast.error(t("reset.incomplete"));
    if (confirmation !== password) return toast.error(t("reset.differs"));
    if (!isStrong(password)) return undefined;
    try {
      if ((await submit(password, confirmation)) === undefined) return undefined;
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code === "invalid_token") return setSpent(true);
      return toast.error(errorText(error));
    }
    toast.success(t("reset.done"));
    return navigate("/login", { replace: true });
  }

  if (spent) {
    return (
      <PublicPage title={t("reset.title")}>
        <p role="alert">{t("reset.spent")}</p>
        <p className="ob-quiet ob-above">
          <Link to="/login">{t("recovery.back")}</Link>
        </p>
      </PublicPage>
    );
  }
  return (
    <PublicPage title={t("reset.title")}>
      <p className="ob-quiet ob-login__address">{t("reset.rule")}</p>
      <form noValidate onSubmit={(event) => void onSubmit(event)}>
        <PasswordField
          id="newPassword"
          label={t("reset.password")}
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          maxLength={PASSWORD_MOST}
          error={weak ? t("reset.weak") : null}
        />
        <PasswordField
          id="confirmNewPassword"
          label={t("reset.confirmation")}
          value={confirmation}
          onChange={setConfirmation}
          autoComplete="new-password"
          maxLength={PASSWORD_MOST}
          error={differs ? t("reset.differs") : null}
        />
        <button className="ob-login__submit" type="submit" aria-busy={busy}>
          {t("reset.submit")}
        </button>
      </form>
      <p className="ob-quiet ob-above">
        <Link to="/login">{t("recovery.back")}</Link>
      </p>
    </PublicPage>
  );
}
