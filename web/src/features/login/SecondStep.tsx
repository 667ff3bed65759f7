/**
 * The second step of a sign-in: a code of the app or a recovery code, a passkey, or setting one of
 * them up. See infra/docs/rules.md#second-factor.
 */
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "@/contract";
import { asApiError } from "@/shared/http/ApiError";
import { knowsPasskeys, refusedBy } from "@/shared/http/passkeys";
import { errorText } from "@/shared/ui/errors";
import { RecoveryCodes, SeedView } from "@/shared/ui/SecondFactor";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { beginApp, sendCode, setUpPasskey, signInByPasskey } from "./doors.api";
import { PublicPage } from "./PublicPage";
import { openSession, stepOf, type Step } from "./signIn.api";

interface Props {
  step: Step;
  onBack: () => void;
}

export default function SecondStep({ step: first, onBack }: Props) {
  const { t } = useTranslation("secondFactor");
  const [step, setStep] = useState(first);
  const [seed, setSeed] = useState<Schemas["SeedOut"] | null>(null);
  const [entered, setEntered] = useState<Schemas["SecondFactorOut"] | null>(null);
  const { submit, busy } = useSubmit((_headers, does: Doing): Promise<Done> =>
    PERFORM[does.kind](does),
  );
  const { challenge, factors, enrolls } = step;

  async function perform(does: Doing) {
    try {
      const answer = await submit(does);
      if (answer === undefined || answer === true) return;
      if ("secret" in answer) setSeed(answer);
      else if (answer.recoveryCodes?.length) setEntered(answer);
      else await openSession(answer.access_token);
    } catch (reason) {
      const refused = refusedBy(reason);
      if (refused === "canceled") return;
      const error = asApiError(reason);
      const next = stepOf(error);
      if (next !== null) {
        setSeed(null);
        setStep(next);
        return;
      }
      toast.error(refused !== null ? t("impossible") : errorText(error));
      if (error.code === "challenge_over") onBack();
    }
  }

  if (entered !== null) {
    return (
      <PublicPage title={t("codes.title")}>
        <RecoveryCodes codes={entered.recoveryCodes ?? []} />
        <button
          className="ob-login__submit ob-above"
          type="button"
          onClick={() => void openSession(entered.access_token).catch(toastIt)}
        >
          {t("codes.kept")}
        </button>
      </PublicPage>
    );
  }
  const settingUp = seed !== null;
  return (
    <PublicPage title={t(enrolls.length > 0 ? "setUp.title" : "step.title")}>
      {enrolls.length > 0 && !settingUp && <p className="ob-below">{t("setUp.required")}</p>}
      {settingUp && <SeedView seed={seed} />}
      {(factors.includes("code") || settingUp) && (
        <CodeForm
          busy={busy}
          days={settingUp ? 0 : step.rememberDays}
          note={t(settingUp ? "setUp.first" : "step.note")}
          onCode={(code, remember) => void perform({ kind: "code", challenge, code, remember })}
        />
      )}
      <div className="ob-stack ob-above">
        {factors.includes("passkey") && (
          <button
            className="ob-login__door"
            type="button"
            onClick={() => void perform({ kind: "passkey", challenge })}
          >
            {t("step.passkey")}
          </button>
        )}
        {enrolls.includes("code") && !settingUp && (
          <button
            className="ob-login__door"
            type="button"
            aria-busy={busy}
            onClick={() => void perform({ kind: "app", challenge })}
          >
            {t("setUp.app")}
          </button>
        )}
        {enrolls.includes("passkey") && !settingUp && (
          <button
            className="ob-login__door"
            type="button"
            disabled={!knowsPasskeys()}
            onClick={() => void perform({ kind: "newPasskey", challenge, name: t("firstName") })}
          >
            {t("setUp.passkey")}
          </button>
        )}
        <button className="ob-login__recover" type="button" onClick={onBack}>
          {t("back")}
        </button>
      </div>
    </PublicPage>
  );
}

const toastIt = (reason: unknown) => toast.error(errorText(asApiError(reason)));

/** What a step answers: true once the session is stored. */
type Done = true | Schemas["SeedOut"] | Schemas["SecondFactorOut"];

interface Doing {
  kind: "code" | "passkey" | "app" | "newPasskey";
  challenge: string;
  code?: string;
  remember?: boolean;
  name?: string;
}

const PERFORM = {
  code: ({ challenge, code = "", remember = false }: Doing) => sendCode(challenge, code, remember),
  passkey: () => signInByPasskey(),
  app: ({ challenge }: Doing) => beginApp(challenge),
  newPasskey: ({ challenge, name = "" }: Doing) => setUpPasskey(challenge, name),
};

function CodeForm(props: {
  busy: boolean;
  days: number;
  note: string;
  onCode: (code: string, remember: boolean) => void;
}) {
  const { t } = useTranslation("secondFactor");
  const [code, setCode] = useState("");
  const [remember, setRemember] = useState(false);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (code.trim() !== "") props.onCode(code.trim(), remember);
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <label htmlFor="second-code">{t("code")}</label>
      <input
        className="ob-login__field"
        id="second-code"
        autoComplete="one-time-code"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step asks for nothing else
        autoFocus
        maxLength={40}
        value={code}
        aria-describedby="second-code-note"
        onChange={(event) => setCode(event.target.value)}
      />
      <p className="ob-quiet ob-small ob-below" id="second-code-note">
        {props.note}
      </p>
      {props.days > 0 && (
        <p className="ob-below">
          <label className="ob-login__tick">
            <input
              type="checkbox"
              checked={remember}
              onChange={(event) => setRemember(event.target.checked)}
            />{" "}
            {t("remember", { count: props.days })}
          </label>
        </p>
      )}
      <button className="ob-login__submit" type="submit" aria-busy={props.busy}>
        {t("send")}
      </button>
    </form>
  );
}
