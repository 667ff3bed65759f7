/** Create a token for a service account: ask for its last day, then show the token once. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Modal from "antd/es/modal";
import dayjs from "dayjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceAccount } from "@/contract";
import { FormBody, FormScope, SendButton, showRefusal } from "@/shared/form/FormParts";
import { today } from "@/shared/format/plant";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { api, call } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { under } from "@/shared/http/keys";
import { DayField } from "@/shared/form/DayField";
import { ShownOnce } from "@/shared/form/ShownOnce";

const MONTHS = 6;

export function TokenDialog(props: { account: ServiceAccount; onClose: () => void }) {
  const { t } = useTranslation(["administration", "shared"]);
  useFocusBack();
  const [token, setToken] = useState<string | null>(null);
  return (
    <Modal
      open
      centered
      width={520}
      title={t("service.tokenTitle", { name: props.account.name })}
      closable={{ "aria-label": t("shared:action.close") }}
      // A click outside the dialog must not close it while it shows the token.
      mask={{ closable: token === null }}
      onCancel={props.onClose}
      footer={<Button onClick={props.onClose}>{t("shared:action.close")}</Button>}
    >
      {token === null ? (
        <FormScope>
          <TokenForm account={props.account} onMade={setToken} />
        </FormScope>
      ) : (
        <ShownOnce label={t("service.token")} secret={token} hint={t("service.tokenHint")} />
      )}
    </Modal>
  );
}

interface FormProps {
  account: ServiceAccount;
  onMade: (token: string) => void;
}

function TokenForm({ account, onMade }: FormProps) {
  const { t } = useTranslation(["administration", "forms"]);
  const [form] = Form.useForm<{ expiresOn: string }>();
  const { afterWrite } = useAnswers();
  const { submit, busy } = useSubmit((headers, expiresOn: string) =>
    call(
      api.POST("/api/service-accounts/{account_id}/token", {
        params: { path: { account_id: account.id } },
        body: { expiresOn },
        headers,
      }),
    ),
  );

  async function make(expiresOn: string) {
    try {
      const made = await submit(expiresOn);
      if (made === undefined) return;
      onMade(made.token);
      afterWrite(under("/api/service-accounts"));
    } catch (reason) {
      showRefusal(form, reason);
    }
  }

  return (
    <FormBody
      form={form}
      busy={busy}
      initialValues={{ expiresOn: dayjs(today()).add(MONTHS, "month").format("YYYY-MM-DD") }}
      onFinish={({ expiresOn }) => void make(expiresOn)}
    >
      {account.hasToken && <p>{t("service.anotherHint")}</p>}
      <Form.Item
        name="expiresOn"
        label={t("service.field.expiresOn")}
        extra={t("service.expiresHint")}
        rules={[{ required: true, message: t("forms:required") }]}
      >
        <DayField allowClear={false} />
      </Form.Item>
      <SendButton loading={busy} onClick={form.submit}>
        {t(account.hasToken ? "service.anotherToken" : "service.makeToken")}
      </SendButton>
    </FormBody>
  );
}
