/**
 * The ways of signing in beside the password: a passkey, by its button or in the list of the e-mail
 * field, and the company's account. See infra/docs/rules.md#passkeys.
 */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "@/contract";
import { asApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { knowsPasskeys, offersInField, refusedBy } from "@/shared/http/passkeys";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { signInByPasskey } from "./doors.api";
import { stepOf, type Step } from "./signIn.api";

/** Milliseconds after which the offer in the field is made again: the server takes its answer for an hour. */
const OFFERED_AGAIN = 55 * 60_000;

type Doors = Schemas["SignInDoorsOut"];

export default function OtherDoors({ onStep }: { onStep: (step: Step) => void }) {
  const { t } = useTranslation("login");
  const [doors, setDoors] = useState<Doors | null>(null);
  const passkey = useSubmit(() => signInByPasskey());
  const company = useSubmit(() => call(api.POST("/identity/authentication/company")));

  useEffect(() => {
    // Without an answer the page has the password alone: what is broken here must lock nobody out.
    call(api.GET("/identity/authentication/doors", { headers: QUIET })).then(setDoors, () => {});
  }, []);

  // A browser has one request for a passkey at a time: the button ends the offer in the field.
  const offer = useRef(new AbortController());

  async function offerPasskeys() {
    const own = new AbortController();
    const { signal } = own;
    offer.current = own;
    const again = () => {
      if (signal.aborted) return;
      own.abort();
      void offerPasskeys();
    };
    const renewal = setTimeout(again, OFFERED_AGAIN);
    signal.addEventListener("abort", () => clearTimeout(renewal));
    try {
      if (await offersInField()) await signInByPasskey({ inField: true, signal });
    } catch (reason) {
      // A browser or a network that cannot offer them says nothing: nobody asked.
      const silent = refusedBy(reason) !== null || asApiError(reason).isOffline;
      if (signal.aborted || silent) return;
      onRefused(reason);
      // The server refused the chosen passkey, and its answer ended the offer. Other failures are of the offer itself.
      if ([401, 429].includes(asApiError(reason).status)) again();
    }
  }

  useEffect(() => {
    void offerPasskeys();
    return () => offer.current.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the first offer is made once
  }, []);

  async function onPasskey() {
    offer.current.abort();
    try {
      await passkey.submit();
    } catch (reason) {
      onRefused(reason);
      void offerPasskeys();
    }
  }

  function onRefused(reason: unknown) {
    const refused = refusedBy(reason);
    if (refused === "canceled") return;
    const error = asApiError(reason);
    const step = stepOf(error);
    if (step !== null) onStep(step);
    else toast.error(refused !== null ? t("doors.impossible") : errorText(error));
  }

  async function onCompany() {
    try {
      const answer = await company.submit();
      if (answer !== undefined) window.location.assign(answer.address);
    } catch (reason) {
      onRefused(reason);
    }
  }

  return (
    <div className="ob-stack ob-above">
      {knowsPasskeys() && (
        <button
          className="ob-login__door"
          type="button"
          aria-busy={passkey.busy}
          onClick={() => void onPasskey()}
        >
          {t("doors.passkey")}
        </button>
      )}
      {doors !== null && doors.company !== null && (
        <button
          className="ob-login__door"
          type="button"
          aria-busy={company.busy}
          onClick={() => void onCompany()}
        >
          {t("doors.company", { name: doors.company })}
        </button>
      )}
    </div>
  );
}
