/** Erase a person after the user typed their full name. */
import Alert from "antd/es/alert";
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/contract";
import { FormBody, FormScope } from "@/shared/form/FormParts";
import { useFocusBack } from "@/shared/hooks/browser";
import { useIsShown, useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { nameKey } from "@/shared/format/folded";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { erasePerson } from "../administration.api";

const isSame = (typed: string | undefined, name: string) =>
  nameKey(typed ?? "") === nameKey(name) && nameKey(name) !== "";

export default function EraseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(["administration", "shared"]);
  const [form] = Form.useForm<{ name: string }>();
  const typed = Form.useWatch("name", form);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { afterWrite } = useAnswers();
  const isShown = useIsShown();
  useFocusBack();
  const { submit, busy } = useSubmit((headers, name: string) =>
    erasePerson(headers, user.id, name),
  );

  async function erase(name: string) {
    try {
      if ((await submit(name)) === undefined) return;
      toast.success(t("user.erase.done", { id: user.id }));
      afterWrite(under(RESOURCES.users));
      if (isShown()) onClose();
    } catch (reason) {
      setRefusal(asApiError(reason));
    }
  }

  return (
    <FormScope>
      <Modal
        open
        centered
        width={520}
        title={t("user.erase.title", { name: user.fullName })}
        closable={{ "aria-label": t("shared:action.close") }}
        mask={{ closable: false }}
        onCancel={onClose}
        footer={[
          <Button key="close" onClick={onClose}>
            {t("user.erase.keep")}
          </Button>,
          <Button
            key="erase"
            danger
            type="primary"
            loading={busy}
            disabled={!isSame(typed, user.fullName)}
            onClick={form.submit}
          >
            {t("user.erase.accept")}
          </Button>,
        ]}
      >
        <div>
          <p>{t("user.erase.goes")}</p>
          <p>{t("user.erase.stays", { id: user.id })}</p>
          <p>{t("user.erase.books")}</p>
          <p>
            <strong>{t("user.erase.final")}</strong>
          </p>
        </div>
        <FormBody
          form={form}
          busy={busy}
          onValuesChange={() => setRefusal(null)}
          onFinish={({ name }) => void erase(name)}
        >
          <Form.Item name="name" label={t("user.erase.type", { name: user.fullName })}>
            <Input autoComplete="off" spellCheck={false} />
          </Form.Item>
        </FormBody>
        {refusal !== null && (
          <Alert type="error" showIcon role="alert" title={errorText(refusal)} />
        )}
      </Modal>
    </FormScope>
  );
}
