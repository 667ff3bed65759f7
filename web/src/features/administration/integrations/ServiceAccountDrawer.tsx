/** Form of a service account: name, permissions, processes, token and revocation. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  OF_SERVICES,
  type Permission,
  type ServiceAccount,
  type ServiceAccountIn,
} from "@/contract";
import { namesOf, OptionsSelect, useWholeOptions } from "@/shared/form/OptionsSelect";
import { RecordDrawer, type RecordCalls } from "@/shared/form/RecordDrawer";
import { lastDay } from "@/shared/format/plant";
import { api, call } from "@/shared/http/client";
import { load } from "@/shared/http/data";
import { useLanguage } from "@/shared/i18n";
import { useHoldsAll, useMay } from "@/shared/session/session";
import { usePermissions } from "../administration.api";
import { RevokeDialog } from "../RevokeDialog";
import { PermissionTree } from "../roles/PermissionTree";
import { describe } from "../roles/tree";
import { inOrder } from "../users/values";
import { TokenDialog } from "./TokenDialog";

const NAME_MOST = 200;

interface AccountValues {
  name: string;
  permissions: Permission[];
  productionProcessIds: number[];
}

const place = (id: number) => ({ path: { account_id: id } });
const CALLS: RecordCalls<ServiceAccount, ServiceAccountIn> = {
  load: (id) => load("/api/service-accounts/{account_id}", place(id)),
  create: (headers, body) => call(api.POST("/api/service-accounts", { body, headers })),
  update: (headers, id, body) =>
    call(api.PUT("/api/service-accounts/{account_id}", { params: place(id), body, headers })),
  remove: (headers, id) =>
    call(api.DELETE("/api/service-accounts/{account_id}", { params: place(id), headers })),
};

interface Props {
  /** Absent for a new account. */
  account?: ServiceAccount | undefined;
  onClose: () => void;
}

export default function ServiceAccountDrawer({ account, onClose }: Props) {
  const { t } = useTranslation(["administration", "forms"]);
  const language = useLanguage();
  const processes = useWholeOptions("production-processes");
  const { data: rows } = usePermissions(useMay("ListPermissions"));
  const holdsAll = useHoldsAll();
  const [asked, setAsked] = useState<"token" | "end">();
  const inWords = (action: Permission) => {
    const row = rows?.find((each) => each.action === action);
    return row === undefined ? action : describe(row, language);
  };
  const above = account !== undefined && !holdsAll(account.permissions);
  return (
    <RecordDrawer<ServiceAccount, AccountValues, ServiceAccountIn>
      resource="service-accounts"
      record={account}
      title={account?.name ?? t("service.new")}
      nameOf={({ name }) => name}
      calls={CALLS}
      may={{ save: (account?.active ?? true) && !above, remove: false }}
      valuesOf={({ name, permissions, productionProcessIds }) => ({
        name,
        permissions: permissions.toSorted(),
        productionProcessIds,
      })}
      blank={{ name: "", permissions: [], productionProcessIds: [] }}
      bodyOf={(values) => ({ ...values, name: values.name.trim() })}
      fields={["name", "permissions", "productionProcessIds"]}
      describe={(field, values) => ({
        label: t(`service.field.${field}`),
        text:
          field === "name"
            ? values.name
            : field === "permissions"
              ? values.permissions.map(inWords).join(", ")
              : namesOf(processes, values.productionProcessIds),
      })}
      top={
        <>
          {account === undefined && <p className="ob-quiet">{t("service.how")}</p>}
          {account?.active === false && <p>{t("service.revokedHint")}</p>}
          {account?.active === true && (
            <>
              <p>
                {account.hasToken
                  ? t("service.tokenUntil", { day: lastDay(account.expiresAt) })
                  : t("service.noToken")}
              </p>
              {above && <p>{t("service.above")}</p>}
              <div className="ob-row">
                <Button
                  {...(account.hasToken ? {} : { type: "primary" as const })}
                  disabled={above}
                  onClick={() => setAsked("token")}
                >
                  {t(account.hasToken ? "service.anotherToken" : "service.makeToken")}
                </Button>
                <Button danger onClick={() => setAsked("end")}>
                  {t("service.revoke")}
                </Button>
              </div>
            </>
          )}
        </>
      }
      width={600}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t("service.field.name")}
        rules={[{ required: true, whitespace: true, message: t("forms:required") }]}
      >
        <Input maxLength={NAME_MOST} autoComplete="off" placeholder={t("service.nameExample")} />
      </Form.Item>
      <Form.Item name="permissions" label={t("service.field.permissions")}>
        <PermissionTree kept={account?.permissions ?? []} only={OF_SERVICES} />
      </Form.Item>
      <Form.Item
        name="productionProcessIds"
        label={t("service.field.productionProcessIds")}
        extra={t("service.processesHint")}
        getValueFromEvent={inOrder}
      >
        <OptionsSelect catalog="production-processes" placeholder={t("service.noProcess")} />
      </Form.Item>
      {asked === "token" && account !== undefined && (
        <TokenDialog account={account} onClose={() => setAsked(undefined)} />
      )}
      {asked === "end" && account !== undefined && (
        <RevokeDialog
          title={t("service.revokeTitle", { name: account.name })}
          question={t("service.revokeQuestion")}
          accept={t("service.revokeAccept")}
          done={t("service.revokedDone", { name: account.name })}
          resource="service-accounts"
          revoke={(headers) => CALLS.remove(headers, account.id)}
          onDone={onClose}
          onClose={() => setAsked(undefined)}
        />
      )}
    </RecordDrawer>
  );
}
