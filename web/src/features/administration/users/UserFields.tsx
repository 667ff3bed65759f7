/** Fields of the user form. The user cannot choose roles with permissions that they lack. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import Password from "antd/es/input/Password";
import Switch from "antd/es/switch";
import { useTranslation } from "react-i18next";
import type { Option } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { OptionsSelect } from "@/shared/form/OptionsSelect";
import { Select } from "@/shared/form/Select";
import { LANGUAGE_NAMES, LANGUAGES } from "@/shared/session/language";
import { EMAIL } from "@/shared/session/emailRule";
import { isStrong, PASSWORD_MOST } from "@/shared/session/passwordRule";
import { useHoldsAll, useMay } from "@/shared/session/session";
import { useEveryRole } from "../administration.api";
import { inOrder, type UserValues } from "./values";

const NAME_MOST = 200;
const EMAIL_MOST = 254;
const TYPES = ["Internal", "Customer"] as const;

export function UserFields({ isNew, isSelf }: { isNew: boolean; isSelf: boolean }) {
  const { t } = useTranslation(["administration", "forms"]);
  const required = { required: true, whitespace: true, message: t("forms:required") };
  const customer = Form.useWatch<UserValues["userType"] | undefined>("userType") === "Customer";
  const refused = useRefusedRoles();
  const form = Form.useFormInstance<UserValues>();
  return (
    <>
      <Form.Item name="firstName" label={t("user.field.firstName")} rules={[required]}>
        <Input maxLength={NAME_MOST} autoComplete="off" />
      </Form.Item>
      <div className="ob-fields ob-form-pair">
        <Form.Item name="lastName" label={t("user.field.lastName")}>
          <Input maxLength={NAME_MOST} autoComplete="off" />
        </Form.Item>
        <Form.Item name="secondLastName" label={t("user.field.secondLastName")}>
          <Input maxLength={NAME_MOST} autoComplete="off" />
        </Form.Item>
      </div>
      <Form.Item
        name="email"
        label={t("user.field.email")}
        rules={[required, { pattern: EMAIL, message: t("user.emailWrong") }]}
      >
        <Input maxLength={EMAIL_MOST} inputMode="email" autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="password"
        label={isNew ? t("user.field.password") : t("user.newPassword")}
        extra={isNew ? t("user.passwordRule") : t("user.newPasswordHint")}
        rules={[
          ...(isNew ? [required] : []),
          {
            validator: async (_rule, typed: string | undefined) => {
              if (typed && !isStrong(typed)) throw new Error(t("user.passwordWeak"));
            },
          },
        ]}
      >
        <Password maxLength={PASSWORD_MOST} autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="roleIds" label={t("user.field.roleIds")} getValueFromEvent={inOrder}>
        <OptionsSelect catalog="roles" placeholder={t("user.chooseRoles")} refused={refused} />
      </Form.Item>
      <Form.Item
        name="productionProcessIds"
        label={t("user.field.productionProcessIds")}
        getValueFromEvent={inOrder}
      >
        <OptionsSelect catalog="production-processes" placeholder={t("user.chooseProcesses")} />
      </Form.Item>
      <div className="ob-fields ob-form-pair">
        <Form.Item
          name="userType"
          label={t("user.field.userType")}
          getValueFromEvent={(type: UserValues["userType"]) => {
            if (type === "Internal") form.setFieldValue("customerId", null);
            return type;
          }}
        >
          <Select options={TYPES.map((value) => ({ value, label: t(`user.type.${value}`) }))} />
        </Form.Item>
        <Form.Item name="language" label={t("user.field.language")}>
          <Select options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))} />
        </Form.Item>
      </div>
      {customer && <CustomerField />}
      <div className="ob-fields ob-form-pair">
        <Form.Item
          name="active"
          label={t("user.field.active")}
          valuePropName="checked"
          {...(isSelf ? { extra: t("user.ownAccount") } : {})}
        >
          <Switch disabled={isSelf} />
        </Form.Item>
        <Form.Item name="locked" label={t("user.field.locked")} valuePropName="checked">
          <Switch disabled={isSelf} />
        </Form.Item>
      </div>
    </>
  );
}

function CustomerField() {
  const { t } = useTranslation(["administration", "forms"]);
  return (
    <Form.Item
      name="customerId"
      label={t("user.field.customerId")}
      rules={[{ required: true, message: t("forms:required") }]}
      getValueFromEvent={(option: Option | null) => option?.id ?? null}
    >
      <OptionSelect catalog="customers" placeholder={t("user.chooseCustomer")} />
    </Form.Item>
  );
}

/**
 * Return why a role cannot be chosen: it has permissions that the user lacks. Without ListRoles
 * only the server can tell.
 */
function useRefusedRoles(): (id: number) => string | undefined {
  const { t } = useTranslation("administration");
  const holdsAll = useHoldsAll();
  const { data: roles } = useEveryRole(useMay("ListRoles"));
  return (id) => {
    const permissions = roles?.find((role) => role.id === id)?.permissions ?? [];
    return holdsAll(permissions) ? undefined : t("user.roleBeyond");
  };
}
