/** Ask before a record is deleted. Show the server's error, and offer to deactivate a record that is in use. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "./useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { errorText } from "./errors";
import { toast } from "./toast";
import "./ui.css";

type Headers = { "Idempotency-Key": string };

interface Props {
  name: string;
  /** The path that shows the record after it is deactivated. */
  path?: string | undefined;
  /** A consequence to show before deleting: "3 users have this role." */
  note?: string | undefined;
  remove: (headers: Headers) => Promise<unknown>;
  /** Offered after 409 `in_use`; absent if the record is already inactive or cannot be. */
  deactivate?: ((headers: Headers) => Promise<unknown>) | undefined;
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
          {note !== undefined && <p className="ob-quiet ob-above">{note}</p>}
        </>
      ) : (
        <div role="alert">
          <p className="ob-below ob-strong">{name}</p>
          <p>{errorText(refusal)}</p>
        </div>
      )}
    </Modal>
  );
}
