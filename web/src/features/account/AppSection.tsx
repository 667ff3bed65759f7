/** The user's authenticator app: set one up, change it, remove it, and make new recovery codes. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "@/contract";
import { FormBody, FormScope, SendButton, showFieldErrors } from "@/shared/form/FormParts";
import { formatDay } from "@/shared/format/plant";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { at } from "@/shared/http/keys";
import { errorText } from "@/shared/ui/errors";
import { RecoveryCodes, SeedView } from "@/shared/ui/SecondFactor";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { Confirm } from "./Confirm";
import { beginApp, confirmApp, removeApp, renewCodes, WAYS, type Ways } from "./ways.api";

type Asked = "add" | "replace" | "remove" | "renew";
type Seed = Schemas["SeedOut"];

export function AppSection({ ways }: { ways: Ways }) {
  const { t } = useTranslation("account");
  const { reload } = useAnswers();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [seed, setSeed] = useState<Seed | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { authenticator } = ways;

  async function perform(does: Asked, password: string): Promise<void> {
    if (does === "remove") {
      await removeApp(password);
      toast.success(t("ways.app.removed"));
    } else if (does === "renew") setCodes((await renewCodes(password)).recoveryCodes);
    else setSeed(await beginApp(password));
  }

  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="ways-app">
      <h2 id="ways-app">{t("ways.app.title")}</h2>
      <p className="ob-quiet">{t("ways.app.note")}</p>
      {authenticator === null ? (
        <p>{t("ways.app.none")}</p>
      ) : (
        <p>
          {t("ways.passkeys.since", { day: formatDay(authenticator.since) })}
          {" · "}
          {t("ways.app.left", { count: authenticator.recoveryCodesLeft })}
        </p>
      )}
      {seed !== null && (
        <FirstCode
          seed={seed}
          onCodes={(made) => {
            setSeed(null);
            setCodes(made);
            toast.success(t("ways.app.on"));
            void reload(at(WAYS));
          }}
        />
      )}
      {codes.length > 0 && (
        <div className="ob-note ob-stack" role="status">
          <RecoveryCodes codes={codes} />
          <p>
            <Button onClick={() => setCodes([])}>{t("ways.app.close")}</Button>
          </p>
        </div>
      )}
      <div className="ob-row">
        <Button
          type={authenticator === null ? "primary" : "default"}
          onClick={() => setAsked(authenticator === null ? "add" : "replace")}
        >
          {t(authenticator === null ? "ways.app.add" : "ways.app.replace")}
        </Button>
        {authenticator !== null && (
          <>
            <Button onClick={() => setAsked("renew")}>{t("ways.app.renew")}</Button>
            <Button danger onClick={() => setAsked("remove")}>
              {t("ways.app.remove")}
            </Button>
          </>
        )}
      </div>
      {asked !== null && (
        <Confirm
          title={t(`ways.app.${asked}`)}
          hasPassword={ways.hasPassword}
          work={({ currentPassword }) => perform(asked, currentPassword)}
          onDone={() => {
            setAsked(null);
            void reload(at(WAYS));
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

interface Code {
  code: string;
}

/** Show the secret of the new app, and ask for its first code. */
function FirstCode(props: { seed: Seed; onCodes: (codes: readonly string[]) => void }) {
  const { t } = useTranslation("account");
  const [form] = Form.useForm<Code>();
  const { submit, busy } = useSubmit((_headers, code: string) => confirmApp(code));

  async function onFinish({ code }: Code) {
    try {
      const answer = await submit(code.trim());
      if (answer !== undefined) props.onCodes(answer.recoveryCodes);
    } catch (reason) {
      const error = asApiError(reason);
      if (error.errors.length > 0) showFieldErrors(form, error);
      else toast.error(errorText(error));
    }
  }

  return (
    <FormScope>
      <SeedView seed={props.seed} />
      <FormBody<Code> form={form} busy={busy} onFinish={(given) => void onFinish(given)}>
        <Form.Item
          name="code"
          label={t("ways.app.code")}
          rules={[{ required: true, whitespace: true, message: t("required") }]}
        >
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={40} />
        </Form.Item>
        <SendButton loading={busy} onClick={form.submit}>
          {t("ways.app.turnOn")}
        </SendButton>
      </FormBody>
    </FormScope>
  );
}
