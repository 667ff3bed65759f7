/** Asks before something is deleted; a refusal says why, and what is in use can be deactivated instead. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { errorText } from "./errors";
import { toast } from "./toast";
import "./ui.css";

type Headers = { "Idempotency-Key": string };

interface Props {
  /** What is deleted, as the person knows it. */
  name: string;
  /** Where it can be seen once it is inactive. */
  path?: string | undefined;
  /** What else a person should know before: "3 users have this role." */
  note?: string | undefined;
  remove: (headers: Headers) => Promise<unknown>;
  /** Offered after 409 `in_use`; absent where it is inactive already or cannot be. */
  deactivate?: ((headers: Headers) => Promise<unknown>) | undefined;
  /** It is gone, or inactive. */
  onDone: (what: "deleted" | "deactivated") => void;
  onClose: () => void;
}

export function DeleteDialog({ name, path, note, remove, deactivate, onDone, onClose }: Props) {
  const { t } = useTranslation(["forms", "shared"]);
  useFocusBack();
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { submit, busy } = useSubmit((headers, what: "deleted" | "deactivated") =>
    what === "deactivated" && deactivate !== undefined ? deactivate(headers) : remove(headers),
  );
  const offered = refusal?.code === "in_use" && deactivate !== undefined;

  async function act(what: "deleted" | "deactivated") {
    try {
      if ((await submit(what)) === undefined) return;
    } catch (reason) {
      setRefusal(asApiError(reason));
      return;
    }
    if (what === "deleted") toast.deleted(name);
    else toast.saved({ name, path });
    onDone(what);
  }

  return (
    <Modal
      open
      centered
      width={440}
      title={refusal === null ? t("delete.title") : t("delete.refused")}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {refusal === null ? t("shared:action.cancel") : t("shared:action.close")}
        </Button>,
        ...(refusal === null
          ? [
              <Button
                key="delete"
                danger
                type="primary"
                loading={busy}
                onClick={() => void act("deleted")}
              >
                {t("delete.accept")}
              </Button>,
            ]
          : []),
        ...(offered
          ? [
              <Button
                key="deactivate"
                type="primary"
                loading={busy}
                onClick={() => void act("deactivated")}
              >
                {t("delete.deactivate")}
              </Button>,
            ]
          : []),
      ]}
    >
      {refusal === null ? (
        <>
          <p>{t("delete.question", { name })}</p>
          {note !== undefined && <p className="ob-delete__note">{note}</p>}
        </>
      ) : (
        <div role="alert">
          <p className="ob-delete__name">{name}</p>
          <p>{errorText(refusal)}</p>
        </div>
      )}
    </Modal>
  );
}
