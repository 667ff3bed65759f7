/** Send a webhook's recent deliveries again, for a receiver that lost them. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Radio from "antd/es/radio";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Webhook } from "@/contract";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { keysOf } from "@/shared/keysOf";

const HOUR = 3_600_000;
const HOURS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
type Since = keyof typeof HOURS;

export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(["administration", "shared"]);
  useFocusBack();
  const [chosen, setChosen] = useState<Since>("hour");
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  // Count back from the opening of the dialog: a retry after a lost connection then sends the same
  // body, and the server replays nothing twice.
  const [opened] = useState(() => Date.now());
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit((headers, since: string) =>
    call(
      api.POST("/api/webhooks/{webhook_id}/replay", {
        params: { path: { webhook_id: webhook.id } },
        body: { since },
        headers,
      }),
    ),
  );

  async function replay() {
    setRefusal(null);
    try {
      const answered = await submit(new Date(opened - HOURS[chosen] * HOUR).toISOString());
      if (answered === undefined) return;
      toast.success(t("webhook.replay.done", { count: answered.waiting }));
      void reload(under(RESOURCES.webhooks));
      onClose();
    } catch (reason) {
      setRefusal(asApiError(reason));
    }
  }

  return (
    <Modal
      open
      centered
      width={440}
      title={t("webhook.replay.title", { name: webhook.name })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          {t("shared:action.close")}
        </Button>,
        <Button key="replay" type="primary" loading={busy} onClick={() => void replay()}>
          {t("webhook.replay.accept")}
        </Button>,
      ]}
    >
      <p>{t("webhook.replay.how")}</p>
      <Radio.Group
        className="ob-stack"
        aria-label={t("webhook.replay.since")}
        value={chosen}
        onChange={({ target }) => {
          setChosen(target.value as Since);
          setRefusal(null);
        }}
        options={keysOf(HOURS).map((since) => ({
          value: since,
          label: t(`webhook.replay.hours.${since}`),
        }))}
      />
      {refusal !== null && <p role="alert">{errorText(refusal)}</p>}
    </Modal>
  );
}
