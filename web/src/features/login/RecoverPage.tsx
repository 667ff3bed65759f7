/** Request a recovery link. The message does not reveal whether the address is known. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { asApiError } from "@/shared/http/ApiError";
import { errorText } from "@/shared/ui/errors";
import { submitProblem } from "./rules";
import { PublicPage } from "./PublicPage";
import { askRecovery } from "./signIn.api";

type State = "asking" | "mailed" | "noMail" | "failed" | "wrongEmail";

export default function RecoverPage() {
  const { t } = useTranslation(["login", "shared"]);
  const { email = "" } = useParams();
  const [state, setState] = useState<State>(
    submitProblem(email.trim()) === null ? "asking" : "wrongEmail",
  );
  const [problem, setProblem] = useState("");

  useEffect(() => {
    if (state !== "asking") return undefined;
    let left = false;
    askRecovery(email.trim()).then(
      (mailed) => {
        if (!left) setState(mailed ? "mailed" : "noMail");
      },
      (reason: unknown) => {
        if (left) return;
        setProblem(errorText(asApiError(reason)));
        setState("failed");
      },
    );
    return () => {
      left = true;
    };
  }, [email, state]);

  return (
    <PublicPage title={t("recovery.title")}>
      <p className="ob-quiet ob-login__address">{email}</p>
      <div role="status" aria-live="polite">
        {state === "asking" && <p>{t("recovery.asking")}</p>}
        {state === "mailed" && <p>{t("recovery.mailed")}</p>}
        {state === "noMail" && <p>{t("recovery.noMail")}</p>}
      </div>
      {(state === "failed" || state === "wrongEmail") && (
        <p className="ob-small ob-wrong ob-login__error" role="alert">
          {state === "failed" ? problem : t("errors.emailFormat")}
        </p>
      )}
      {state === "failed" && (
        <button className="ob-login__submit" type="button" onClick={() => setState("asking")}>
          {t("shared:action.retry")}
        </button>
      )}
      <p className="ob-quiet ob-above">
        <Link to="/login">{t("recovery.back")}</Link>
      </p>
    </PublicPage>
  );
}
