/** A wall screen: its code while it is new, its name, its lanes; the way to its history, and its end. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Display, DisplayIn } from "@/contract";
import { namesOf, OptionsSelect, useWholeOptions } from "@/shared/form/OptionsSelect";
import { RecordDrawer, type RecordCalls } from "@/shared/form/RecordDrawer";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { load, useAnswers } from "@/shared/http/data";
import { under } from "@/shared/http/keys";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { inOrder } from "../users/values";
import "../administration.css";

const NAME_MOST = 200;
const CODE_MOST = 12;

interface DisplayValues {
  code: string;
  name: string;
  productionProcessIds: number[];
}

const place = (id: number) => ({ path: { display_id: id } });
const CALLS: RecordCalls<Display, DisplayIn> = {
  load: (id) => load("/api/displays/{display_id}", place(id)),
  create: (headers, body) => call(api.POST("/api/displays", { body, headers })),
  update: (headers, id, body) =>
    call(api.PUT("/api/displays/{display_id}", { params: place(id), body, headers })),
  remove: (headers, id) =>
    call(api.DELETE("/api/displays/{display_id}", { params: place(id), headers })),
};

interface Props {
  /** Absent for a new one. */
  display?: Display | undefined;
  onClose: () => void;
}

export default function DisplayDrawer({ display, onClose }: Props) {
  const { t } = useTranslation(["administration", "forms"]);
  const processes = useWholeOptions("production-processes");
  const [revoking, setRevoking] = useState(false);
  const required = { required: true, whitespace: true, message: t("forms:required") };
  const isNew = display === undefined;
  return (
    <RecordDrawer<Display, DisplayValues, DisplayIn>
      resource="displays"
      record={display}
      title={display?.name ?? t("display.new")}
      nameOf={({ name }) => name}
      calls={CALLS}
      may={{ save: display?.active ?? true, remove: false }}
      valuesOf={({ name, productionProcessIds }) => ({ code: "", name, productionProcessIds })}
      blank={{ code: "", name: "", productionProcessIds: [] }}
      bodyOf={(values) => ({ ...values, name: values.name.trim() })}
      fields={["code", "name", "productionProcessIds"]}
      secret={["code"]}
      describe={(field, values) => ({
        label: t(`display.field.${field}`),
        text:
          field === "productionProcessIds"
            ? namesOf(processes, values[field])
            : String(values[field]),
      })}
      top={
        <>
          {isNew && <p className="ob-quiet">{t("display.how")}</p>}
          {display?.active === true && (
            <Button danger onClick={() => setRevoking(true)}>
              {t("display.revoke")}
            </Button>
          )}
          {display?.active === false && <p>{t("display.revokedHint")}</p>}
        </>
      }
      onClose={onClose}
    >
      {isNew && (
        <Form.Item name="code" label={t("display.field.code")} rules={[required]}>
          <Input className="ob-display-code" maxLength={CODE_MOST} autoComplete="off" />
        </Form.Item>
      )}
      <Form.Item name="name" label={t("display.field.name")} rules={[required]}>
        <Input maxLength={NAME_MOST} autoComplete="off" placeholder={t("display.nameExample")} />
      </Form.Item>
      <Form.Item
        name="productionProcessIds"
        label={t("display.field.productionProcessIds")}
        extra={t("display.lanesHint")}
        getValueFromEvent={inOrder}
      >
        <OptionsSelect catalog="production-processes" placeholder={t("display.everyLane")} />
      </Form.Item>
      {revoking && display !== undefined && (
        <RevokeDialog display={display} onDone={onClose} onClose={() => setRevoking(false)} />
      )}
    </RecordDrawer>
  );
}

interface RevokeProps {
  display: Display;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a screen goes dark. */
function RevokeDialog({ display, onDone, onClose }: RevokeProps) {
  const { t } = useTranslation(["administration", "shared"]);
  useFocusBack();
  const { reload } = useAnswers();
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { submit, busy } = useSubmit((headers) => CALLS.remove(headers, display.id));

  async function revoke() {
    try {
      if ((await submit()) === undefined) return;
    } catch (reason) {
      setRefusal(asApiError(reason));
      return;
    }
    toast.success(t("display.revokedDone", { name: display.name }));
    void reload(under("/api/displays"));
    onDone();
  }

  return (
    <Modal
      open
      centered
      width={440}
      title={t("display.revokeTitle", { name: display.name })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={[
        <Button key="keep" onClick={onClose}>
          {t("display.keep")}
        </Button>,
        <Button key="revoke" danger type="primary" loading={busy} onClick={() => void revoke()}>
          {t("display.revokeAccept")}
        </Button>,
      ]}
    >
      <p>{t("display.revokeQuestion")}</p>
      {refusal !== null && <p role="alert">{errorText(refusal)}</p>}
    </Modal>
  );
}
