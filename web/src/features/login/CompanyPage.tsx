/** The way back from the company's sign-in page: finish the sign-in with what its provider added. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router";
import { asApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { errorText } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { PublicPage } from "./PublicPage";
import { openSession, stepOf, type Step } from "./signIn.api";

const SecondStep = lazyPart(() => import("./SecondStep"), "page");

export default function CompanyPage() {
  const { t } = useTranslation("login");
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [step, setStep] = useState<Step | null>(null);
  const code = query.get("code");
  const state = query.get("state");
  // The provider's code is good once, and effects may run twice.
  const sent = useRef(false);

  useEffect(() => {
    if (code === null || state === null || sent.current) return;
    sent.current = true;
    finish(code, state).then(
      // The guard leads a signed-in user from there to the page that they asked for.
      () => navigate("/login", { replace: true }),
      (reason: unknown) => {
        const error = asApiError(reason);
        const next = stepOf(error);
        if (next === null) setRefusal(errorText(error));
        else setStep(next);
      },
    );
  }, [code, state, navigate]);

  if (step !== null) return <SecondStep step={step} onBack={() => void navigate("/login")} />;
  const canceled = code === null || state === null;
  return (
    <PublicPage title={t("company.title")}>
      {canceled && <p role="alert">{t("company.canceled")}</p>}
      {refusal !== null && <p role="alert">{refusal}</p>}
      {!canceled && refusal === null && <p role="status">{t("company.asking")}</p>}
      <p className="ob-quiet ob-above">
        <Link to="/login">{t("recovery.back")}</Link>
      </p>
    </PublicPage>
  );
}

async function finish(code: string, state: string): Promise<void> {
  const { access_token: token, signOut } = await call(
    api.POST("/identity/authentication/company/finish", { body: { code, state } }),
  );
  await openSession(token, signOut);
}
