/**
 * Stop mails of the kind that this link came with. Opening the page stops nothing yet, because
 * programs that preview links open it too.
 */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { PublicPage } from "./PublicPage";

type State = "asking" | "done" | "spent";

export default function StopMailsPage() {
  const { token = "" } = useParams();
  return <StopMails key={token} token={token} />;
}

function StopMails({ token }: { token: string }) {
  const { t } = useTranslation("login");
  const [state, setState] = useState<State>("asking");
  const { submit, busy } = useSubmit(() =>
    call(api.POST("/api/notices/unsubscribe/{token}", { params: { path: { token } } })),
  );

  async function onStop() {
    try {
      if ((await submit()) !== undefined) setState("done");
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code === "not_found") setState("spent");
      else toast.error(errorText(error));
    }
  }

  return (
    <PublicPage title={t("stop.title")}>
      {state === "asking" && (
        <>
          <p>{t("stop.question")}</p>
          <button
            className="ob-login__submit"
            type="button"
            aria-busy={busy}
            onClick={() => void onStop()}
          >
            {t("stop.submit")}
          </button>
        </>
      )}
      {state === "done" && <p role="status">{t("stop.done")}</p>}
      {state === "spent" && <p role="alert">{t("stop.spent")}</p>}
      {state === "done" && <p className="ob-quiet ob-above">{t("stop.undo")}</p>}
    </PublicPage>
  );
}
