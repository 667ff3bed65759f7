/** Form of a wall screen: its pairing code (new screens only), name, lanes and revocation. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Display, DisplayIn } from "@/contract";
import { namesOf, OptionsSelect, useWholeOptions } from "@/shared/form/OptionsSelect";
import { RecordDrawer, type RecordCalls } from "@/shared/form/RecordDrawer";
import { api, call } from "@/shared/http/client";
import { load } from "@/shared/http/data";
import { useMay } from "@/shared/session/session";
import { RevokeDialog } from "../RevokeDialog";
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
  /** Absent for a new screen. */
  display?: Display | undefined;
  onClose: () => void;
}

export default function DisplayDrawer({ display, onClose }: Props) {
  const { t } = useTranslation(["administration", "forms"]);
  const processes = useWholeOptions("production-processes");
  const maySeeBoard = useMay("ShopFloor");
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
        <OptionsSelect
          catalog="production-processes"
          placeholder={t("display.everyLane")}
          disabled={!maySeeBoard}
        />
      </Form.Item>
      {revoking && display !== undefined && (
        <RevokeDialog
          title={t("display.revokeTitle", { name: display.name })}
          question={t("display.revokeQuestion")}
          accept={t("display.revokeAccept")}
          done={t("display.revokedDone", { name: display.name })}
          resource="displays"
          revoke={(headers) => CALLS.remove(headers, display.id)}
          onDone={onClose}
          onClose={() => setRevoking(false)}
        />
      )}
    </RecordDrawer>
  );
}
