/** Fields of the user form. The user cannot choose roles with permissions that they lack. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import Password from "antd/es/input/Password";
import Switch from "antd/es/switch";
import { useTranslation } from "react-i18next";
import type { Option, User } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { OptionsSelect } from "@/shared/form/OptionsSelect";
import { Select } from "@/shared/form/Select";
import { LANGUAGE_NAMES, LANGUAGES } from "@/shared/language";
import { EMAIL } from "@/shared/session/emailRule";
import { isStrong, PASSWORD_MOST } from "@/shared/session/passwordRule";
import { useHoldsAll, useMay } from "@/shared/session/session";
import { useEveryRole } from "../administration.api";
import { RoleSentence } from "../roles/RoleSentence";
import { PinInput } from "./PinInput";
import { inOrder, isWeakPin, PIN, type UserValues } from "./values";

const NAME_MOST = 200;
const EMAIL_MOST = 254;
const TYPES = ["Internal", "Customer"] as const;

interface Props {
  /** Absent for a new user. */
  user?: User | undefined;
  isSelf: boolean;
}

export function UserFields({ user, isSelf }: Props) {
  const { t } = useTranslation(["administration", "forms"]);
  const isNew = user === undefined;
  const required = { required: true, whitespace: true, message: t("forms:required") };
  const customer = Form.useWatch<UserValues["userType"] | undefined>("userType") === "Customer";
  const refused = useRefusedRoles();
  const form = Form.useFormInstance<UserValues>();
  const hasEmail = (Form.useWatch<string | undefined>("email") ?? "").trim() !== "";
  const needsPassword = user === undefined || user.email === null;

  /** An e-mail, a PIN or a badge is enough, but a customer's account signs in by e-mail. */
  async function checkEmail(typed: string) {
    if (typed !== "") {
      if (!EMAIL.test(typed)) throw new Error(t("user.emailWrong"));
      return;
    }
    if (customer) throw new Error(t("forms:required"));
    const named =
      user === undefined ? form.getFieldValue("pin") !== "" : user.hasPin || user.hasBadge;
    if (!named) throw new Error(t("user.emailOrPin"));
  }
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
      {isNew && !customer && (
        <Form.Item
          name="pin"
          label={t("user.field.pin")}
          extra={t("user.pinHint")}
          rules={[
            {
              validator: async (_rule, typed: string | undefined) => {
                if (!typed) return;
                if (!PIN.test(typed)) throw new Error(t("user.station.sixDigits"));
                if (isWeakPin(typed)) throw new Error(t("user.station.weak"));
              },
            },
          ]}
        >
          <PinInput />
        </Form.Item>
      )}
      <Form.Item
        name="email"
        label={t("user.field.email")}
        {...(customer ? {} : { extra: t("user.emailHint") })}
        required={customer}
        dependencies={["pin", "userType"]}
        rules={[
          { validator: (_rule, typed: string | undefined) => checkEmail(typed?.trim() ?? "") },
        ]}
      >
        <Input maxLength={EMAIL_MOST} inputMode="email" autoComplete="off" />
      </Form.Item>
      {hasEmail && (
        <Form.Item
          name="password"
          label={needsPassword ? t("user.field.password") : t("user.newPassword")}
          extra={needsPassword ? t("user.passwordRule") : t("user.newPasswordHint")}
          rules={[
            ...(needsPassword ? [required] : []),
            {
              validator: async (_rule, typed: string | undefined) => {
                if (typed && !isStrong(typed)) throw new Error(t("user.passwordWeak"));
              },
            },
          ]}
        >
          <Password maxLength={PASSWORD_MOST} autoComplete="new-password" />
        </Form.Item>
      )}
      <Form.Item name="roleIds" label={t("user.field.roleIds")} getValueFromEvent={inOrder}>
        <OptionsSelect catalog="roles" placeholder={t("user.chooseRoles")} refused={refused} />
      </Form.Item>
      {!customer && <WhatTheyMay />}
      {!customer && (
        <Form.Item
          name="productionProcessIds"
          label={t("user.field.productionProcessIds")}
          getValueFromEvent={inOrder}
        >
          <OptionsSelect catalog="production-processes" placeholder={t("user.chooseProcesses")} />
        </Form.Item>
      )}
      {!customer && user?.erased !== true && <NothingGiven />}
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

/**
 * Say what the person may do with the chosen roles. Renders nothing without ListRoles, because the
 * permissions of the roles are then unknown.
 */
function WhatTheyMay() {
  const chosen = Form.useWatch<number[] | undefined>("roleIds") ?? [];
  const { data: roles } = useEveryRole(useMay("ListRoles"));
  if (roles === undefined || chosen.length === 0) return null;
  const theirs = roles.filter(({ id }) => chosen.includes(id));
  return <RoleSentence permissions={theirs.flatMap(({ permissions }) => permissions)} />;
}

/** Warn about a person without a role and without a process. They can be saved, but may do nothing. */
function NothingGiven() {
  const { t } = useTranslation("administration");
  const roles = Form.useWatch<number[] | undefined>("roleIds");
  const processes = Form.useWatch<number[] | undefined>("productionProcessIds");
  if (roles?.length !== 0 || processes?.length !== 0) return null;
  return (
    <p className="ob-note ob-note--warning ob-doubtful ob-below" aria-live="polite">
      {t("user.nothingGiven")}
    </p>
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
      <OptionSelect
        catalog="customers"
        creates="customers"
        placeholder={t("user.chooseCustomer")}
      />
    </Form.Item>
  );
}

/**
 * Return a function that says why a role cannot be chosen: it has permissions that the user lacks.
 * Without ListRoles only the server can tell.
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
