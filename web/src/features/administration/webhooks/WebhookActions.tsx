/** State of a webhook, and its actions: create a secret, pause, open the deliveries. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Webhook } from "@/contract";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { api, call } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { ShownOnce } from "@/shared/form/ShownOnce";
import { deliveriesPath, StateChip, useStateText } from "./parts";

interface Props {
  webhook: Webhook;
  /**
   * True if the webhook's account has permissions that the user lacks. The server then allows them
   * only to delete the webhook.
   */
  above: boolean;
}

export function WebhookActions({ webhook, above }: Props) {
  const { t } = useTranslation("administration");
  const why = useStateText(webhook);
  const [asked, setAsked] = useState(false);
  const { afterWrite } = useAnswers();
  const params = { path: { webhook_id: webhook.id } };
  const { submit, busy } = useSubmit((headers, active: boolean) =>
    call(api.PUT("/api/webhooks/{webhook_id}", { params, body: { active }, headers })),
  );

  async function turn(active: boolean) {
    try {
      if ((await submit(active)) === undefined) return;
      toast.success(t(active ? "webhook.resumed" : "webhook.pausedDone", { name: webhook.name }));
    } catch (reason) {
      toastError(reason);
    }
    afterWrite(under(RESOURCES.webhooks));
  }

  return (
    <div className="ob-stack ob-webhook__top">
      <p>
        <StateChip webhook={webhook} /> {why}
      </p>
      {above && <p>{t("webhook.above")}</p>}
      <div className="ob-row">
        <Button
          {...(webhook.hasSecret ? {} : { type: "primary" as const })}
          disabled={above}
          onClick={() => setAsked(true)}
        >
          {t(webhook.hasSecret ? "webhook.anotherSecret" : "webhook.makeSecret")}
        </Button>
        <Button loading={busy} disabled={above} onClick={() => void turn(!webhook.active)}>
          {t(webhook.active ? "webhook.pause" : "webhook.resume")}
        </Button>
        <Link to={deliveriesPath(webhook.id)}>
          {t("webhook.deliveriesWaiting", { count: webhook.waiting })}
        </Link>
      </div>
      {asked && <SecretDialog webhook={webhook} onClose={() => setAsked(false)} />}
    </div>
  );
}

/** Ask for confirmation, create a secret and show it once. */
function SecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(["administration", "shared"]);
  useFocusBack();
  const [secret, setSecret] = useState<string | null>(null);
  // Keep the value from the opening: `webhook.hasSecret` becomes true once the secret is created.
  const [another] = useState(webhook.hasSecret);
  const { afterWrite } = useAnswers();
  const params = { path: { webhook_id: webhook.id } };
  const { submit, busy } = useSubmit((headers) =>
    call(api.POST("/api/webhooks/{webhook_id}/secret", { params, headers })),
  );

  async function make() {
    try {
      const made = await submit();
      if (made === undefined) return;
      setSecret(made.secret);
      afterWrite(under(RESOURCES.webhooks));
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <Modal
      open
      centered
      width={520}
      title={t("webhook.secretTitle", { name: webhook.name })}
      closable={{ "aria-label": t("shared:action.close") }}
      // A click outside the dialog must not close it while it shows the secret.
      mask={{ closable: secret === null }}
      onCancel={onClose}
      footer={
        secret === null ? (
          <>
            <Button onClick={onClose}>{t("shared:action.close")}</Button>
            <Button type="primary" loading={busy} onClick={() => void make()}>
              {t(another ? "webhook.anotherSecret" : "webhook.makeSecret")}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t("shared:action.close")}</Button>
        )
      }
    >
      {secret === null ? (
        <p>{t(another ? "webhook.anotherHint" : "webhook.secretHow")}</p>
      ) : (
        <ShownOnce label={t("webhook.secret")} secret={secret} hint={t("webhook.secretHint")} />
      )}
    </Modal>
  );
}
