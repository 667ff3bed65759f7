/** Form of a role: name, description and permissions. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Permission, Role, RoleIn } from "@/contract";
import { RecordDrawer } from "@/shared/form/RecordDrawer";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ROLE_CALLS, usePermissions } from "../administration.api";
import { PermissionTree } from "./PermissionTree";
import { describe } from "./tree";

const NAME_MOST = 200;

interface RoleValues {
  name: string;
  description: string;
  permissions: Permission[];
}

const FIELDS = ["name", "description", "permissions"] as const;
const BLANK: RoleValues = { name: "", description: "", permissions: [] };

const valuesOf = ({ name, description, permissions }: Role): RoleValues => ({
  name,
  description,
  permissions: permissions.toSorted(),
});
const bodyOf = ({ name, description, permissions }: RoleValues): RoleIn => ({
  name: name.trim(),
  description: description.trim(),
  permissions,
});

export default function RoleDrawer(props: { role?: Role | undefined; onClose: () => void }) {
  const { role, onClose } = props;
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

  return (
    <RecordDrawer<Role, RoleValues, RoleIn>
      resource="roles"
      record={role}
      title={role === undefined ? t("role.new") : role.name}
      nameOf={({ name }) => name}
      calls={ROLE_CALLS}
      may={{ save: role === undefined ? mayCreate : mayUpdate, remove: mayDelete }}
      valuesOf={valuesOf}
      blank={BLANK}
      bodyOf={bodyOf}
      fields={FIELDS}
      describe={(field, values) => ({
        label: t(`role.field.${field}`),
        text: field === "permissions" ? values.permissions.map(inWords).join(", ") : values[field],
      })}
      deleteNote={users > 0 ? t("role.deleteNote", { count: users }) : undefined}
      top={
        role !== undefined && (
          <p className="ob-quiet">
            {mayListUsers && users > 0 ? (
              <Link to={`/administration/users?roleId=${role.id}`}>
                {t("role.users", { count: users })}
              </Link>
            ) : (
              t("role.users", { count: users })
            )}
          </p>
        )
      }
      width={600}
      onClose={onClose}
    >
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
      <Form.Item name="permissions" label={t("role.field.permissions")}>
        <PermissionTree kept={role?.permissions ?? []} />
      </Form.Item>
    </RecordDrawer>
  );
}
