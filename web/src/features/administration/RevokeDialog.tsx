/** Ask the user to confirm that a wall screen or a service account is revoked. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under, type Resource } from "@/shared/http/keys";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";

interface Props {
  title: string;
  question: string;
  accept: string;
  /** Toast shown after the revocation. */
  done: string;
  /** The resource to reload after the revocation. */
  resource: Resource;
  revoke: (headers: { "Idempotency-Key": string }) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

export function RevokeDialog({ title, question, accept, done, resource, ...does }: Props) {
  const { t } = useTranslation(["administration", "shared"]);
  useFocusBack();
  const { afterWrite } = useAnswers();
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { submit, busy } = useSubmit(does.revoke);

  async function revoke() {
    try {
      if ((await submit()) === undefined) return;
    } catch (reason) {
      setRefusal(asApiError(reason));
      return;
    }
    toast.success(done);
    afterWrite(under(RESOURCES[resource]));
    does.onDone();
  }

  return (
    <Modal
      open
      centered
      width={440}
      title={title}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={does.onClose}
      footer={[
        <Button key="keep" onClick={does.onClose}>
          {t("keep")}
        </Button>,
        <Button key="revoke" danger type="primary" loading={busy} onClick={() => void revoke()}>
          {accept}
        </Button>,
      ]}
    >
      <p>{question}</p>
      {refusal !== null && <p role="alert">{errorText(refusal)}</p>}
    </Modal>
  );
}
