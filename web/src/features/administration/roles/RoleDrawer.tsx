/** Form of a role: name, description and permissions. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Permission, Role, RoleIn } from "@/contract";
import { RecordDrawer } from "@/shared/form/RecordDrawer";
import { Select } from "@/shared/form/Select";
import { useAddress } from "@/shared/hooks/useAddress";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ROLE_CALLS, usePermissions } from "../administration.api";
import { PermissionTree } from "./PermissionTree";
import { RoleSentence } from "./RoleSentence";
import { TemplateChoice } from "./Templates";
import { COPIED, describe, type RoleValues } from "./tree";

const NAME_MOST = 200;

const FIELDS = ["name", "description", "secondFactor", "permissions"] as const;
const BLANK: RoleValues = { name: "", description: "", secondFactor: "none", permissions: [] };
const SECOND_FACTORS = ["none", "any", "passkey"] as const;

const valuesOf = ({ name, description, secondFactor, permissions }: Role): RoleValues => ({
  name,
  description,
  secondFactor,
  permissions: permissions.toSorted(),
});
const bodyOf = ({ name, description, secondFactor, permissions }: RoleValues): RoleIn => ({
  name: name.trim(),
  description: description.trim(),
  secondFactor,
  permissions,
});

interface Props {
  /** Absent for a new role. */
  role?: Role | undefined;
  /** The role to copy into a new one. */
  copied?: Role | undefined;
  onClose: () => void;
}

export default function RoleDrawer({ role, copied, onClose }: Props) {
  const { t } = useTranslation(["administration", "forms"]);
  const language = useLanguage();
  const [mayCreate, mayUpdate] = [useMay("CreateRole"), useMay("UpdateRole")];
  const [mayDelete, mayListUsers] = [useMay("DeleteRole"), useMay("ListUsers")];
  const { data: rows } = usePermissions(useMay("ListPermissions"));
  const inWords = (action: Permission) => {
    const row = rows?.find((each) => each.action === action);
    return row === undefined ? action : describe(row, language);
  };
  const users = role?.usersCount ?? 0;
  const [, change] = useAddress();
  const copy = (id: number) =>
    change((next) => {
      next.set("record", "new");
      next.set(COPIED, String(id));
    });

  return (
    <RecordDrawer<Role, RoleValues, RoleIn>
      resource="roles"
      record={role}
      title={role === undefined ? t("role.new") : role.name}
      nameOf={({ name }) => name}
      calls={ROLE_CALLS}
      may={{ save: role === undefined ? mayCreate : mayUpdate, remove: mayDelete }}
      valuesOf={valuesOf}
      blank={
        copied === undefined
          ? BLANK
          : { ...valuesOf(copied), name: t("role.copyOf", { name: copied.name }) }
      }
      bodyOf={bodyOf}
      fields={FIELDS}
      describe={(field, values) => ({
        label: t(`role.field.${field}`),
        text:
          field === "permissions"
            ? values.permissions.map(inWords).join(", ")
            : field === "secondFactor"
              ? t(`role.secondFactor.${values.secondFactor}`)
              : values[field],
      })}
      deleteNote={users > 0 ? t("role.deleteNote", { count: users }) : undefined}
      top={
        role !== undefined && (
          <>
            <p className="ob-quiet">
              {mayListUsers && users > 0 ? (
                <Link to={`/administration/users?roleId=${role.id}`}>
                  {t("role.users", { count: users })}
                </Link>
              ) : (
                t("role.users", { count: users })
              )}
            </p>
            {mayCreate && (
              <Button size="small" onClick={() => copy(role.id)}>
                {t("role.copy")}
              </Button>
            )}
          </>
        )
      }
      width={600}
      onClose={onClose}
    >
      {role === undefined && copied === undefined && <TemplateChoice />}
      <Form.Item
        name="name"
        label={t("role.field.name")}
        rules={[{ required: true, whitespace: true, message: t("forms:required") }]}
      >
        <Input maxLength={NAME_MOST} autoComplete="off" />
      </Form.Item>
      <Form.Item name="description" label={t("role.field.description")}>
        <TextArea maxLength={NAME_MOST} autoSize={{ minRows: 1, maxRows: 3 }} />
      </Form.Item>
      <Form.Item name="secondFactor" label={t("role.field.secondFactor")}>
        <Select
          options={SECOND_FACTORS.map((value) => ({
            value,
            label: t(`role.secondFactor.${value}`),
          }))}
        />
      </Form.Item>
      <WhatItAllows mayChange={role === undefined ? mayCreate : mayUpdate} />
      <Form.Item name="permissions" label={t("role.field.permissions")}>
        <PermissionTree kept={role?.permissions ?? []} />
      </Form.Item>
    </RecordDrawer>
  );
}

/**
 * Say what the chosen permissions allow, with a button that adds the missing permissions that they
 * need.
 */
function WhatItAllows({ mayChange }: { mayChange: boolean }) {
  const form = Form.useFormInstance<RoleValues>();
  const permissions = Form.useWatch<Permission[] | undefined>("permissions", form) ?? [];
  return (
    <RoleSentence
      permissions={permissions}
      onAdd={
        mayChange
          ? (missing) => form.setFieldValue("permissions", [...permissions, ...missing].toSorted())
          : undefined
      }
    />
  );
}
