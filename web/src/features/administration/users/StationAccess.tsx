/**
 * Set the PIN and the badge of a user at stations. The PIN is never shown; the badge is shown and
 * printed once.
 */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Modal from "antd/es/modal";
import QRCode from "antd/es/qr-code";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/contract";
import { FormBody, FormScope, SendButton, showFieldErrors } from "@/shared/form/FormParts";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { changePin, makeBadge, removeBadge } from "../administration.api";
import { PinInput } from "./PinInput";
import { PIN } from "./values";

export default function StationAccess({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(["administration", "shared"]);
  useFocusBack();
  const [code, setCode] = useState<string | null>(null);
  const { reload } = useAnswers();
  const follow = () => reload(under(RESOURCES.users));
  const { submit, busy } = useSubmit(async (headers, what: "make" | "remove") => {
    if (what === "make") return (await makeBadge(headers, user.id)).code;
    await removeBadge(headers, user.id);
    return null;
  });

  async function badge(what: "make" | "remove") {
    try {
      const made = await submit(what);
      if (made === undefined) return;
      setCode(made);
      await follow();
      toast.success(t(what === "make" ? "user.station.badgeMade" : "user.station.badgeRemoved"));
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <Modal
      open
      centered
      width={460}
      title={t("user.station.title", { name: user.fullName })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{t("shared:action.close")}</Button>}
    >
      <p className="ob-quiet">{t("user.station.hint")}</p>
      <FormScope>
        <PinPart user={user} follow={follow} />
      </FormScope>
      <section className="ob-station-access" aria-labelledby="badge-title">
        <h3 id="badge-title">{t("user.station.badge")}</h3>
        <p>{t(user.hasBadge ? "user.station.hasBadge" : "user.station.noBadge")}</p>
        {code !== null && (
          <>
            <div className="ob-state ob-badge">
              <QRCode
                value={code}
                type="svg"
                size={180}
                bgColor="#fff"
                color="#000"
                bordered={false}
              />
              <strong>{user.fullName}</strong>
              <span className="ob-small ob-badge__code">{code}</span>
            </div>
            <p role="status">{t("user.station.badgeOnce")}</p>
          </>
        )}
        <div className="ob-row">
          {code !== null && (
            <Button type="primary" onClick={() => window.print()}>
              {t("user.station.print")}
            </Button>
          )}
          <Button loading={busy} onClick={() => void badge("make")}>
            {t(user.hasBadge ? "user.station.anotherBadge" : "user.station.makeBadge")}
          </Button>
          {user.hasBadge && (
            <Button danger disabled={busy} onClick={() => void badge("remove")}>
              {t("user.station.removeBadge")}
            </Button>
          )}
        </div>
      </section>
    </Modal>
  );
}

/** Form of the PIN. It shows only whether a PIN exists. */
function PinPart({ user, follow }: { user: User; follow: () => Promise<unknown> }) {
  const { t } = useTranslation("administration");
  const [form] = Form.useForm<{ pin: string }>();
  const { submit, busy } = useSubmit((headers, pin: string | null) =>
    changePin(headers, user.id, pin),
  );

  async function change(pin: string | null) {
    try {
      if ((await submit(pin)) === undefined) return;
      form.resetFields();
      await follow();
      toast.success(t(pin === null ? "user.station.pinRemoved" : "user.station.pinSaved"));
    } catch (reason) {
      const error = asApiError(reason);
      if (error.errors.length === 0) toastError(error);
      else showFieldErrors(form, error);
    }
  }

  return (
    <section className="ob-station-access" aria-labelledby="pin-title">
      <h3 id="pin-title">{t("user.station.pin")}</h3>
      <p>{t(user.hasPin ? "user.station.hasPin" : "user.station.noPin")}</p>
      <FormBody form={form} busy={busy} onFinish={({ pin }) => void change(pin)}>
        <Form.Item
          name="pin"
          label={t("user.station.newPin")}
          extra={t("user.station.pinRule")}
          rules={[{ required: true, pattern: PIN, message: t("user.station.sixDigits") }]}
        >
          <PinInput />
        </Form.Item>
        <div className="ob-row">
          <SendButton loading={busy} onClick={form.submit}>
            {t("user.station.savePin")}
          </SendButton>
          {user.hasPin && (
            <Button danger disabled={busy} onClick={() => void change(null)}>
              {t("user.station.removePin")}
            </Button>
          )}
        </div>
      </FormBody>
    </section>
  );
}
