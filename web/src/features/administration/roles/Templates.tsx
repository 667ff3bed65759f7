/** Offer the roles of a usual workshop: all at once where there are none yet, and one by one to start a new role. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import type { Role, RoleTemplate } from "@/contract";
import { nameKey } from "@/shared/format/folded";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useSubmit } from "@/shared/ui/useSubmit";
import { newKey } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { useHoldsAll, useMay } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { ROLE_CALLS, useEveryRole, useRoleTemplates } from "../administration.api";
import type { RoleValues } from "./tree";

/**
 * Return the role that was made from a template: the role with the template's name, or with exactly
 * its permissions.
 */
export function madeFrom(template: RoleTemplate, roles: readonly Role[]): Role | undefined {
  const wanted = template.permissions.join();
  return roles.find(
    ({ name, permissions }) =>
      nameKey(name) === nameKey(template.name) || permissions.toSorted().join() === wanted,
  );
}

/** Return the templates, each with the role that was made from it. Undefined while they load. */
function useTemplates() {
  const templates = useRoleTemplates(useMay("CreateRole")).data;
  const mayList = useMay("ListRoles");
  const roles = useEveryRole(mayList).data;
  const holdsAll = useHoldsAll();
  if (mayList && roles === undefined) return undefined;
  return templates
    ?.filter(({ permissions }) => holdsAll(permissions))
    .map((template) => ({ template, made: madeFrom(template, roles ?? []) }));
}

/** The roles of a workshop that has only its first role, with a button that makes the missing ones. */
export function StarterRoles() {
  const { t } = useTranslation("administration");
  const templates = useTemplates() ?? [];
  const { reload } = useAnswers();
  const missing = templates.filter(({ made }) => made === undefined);
  const { submit, busy } = useSubmit((_headers, wanted: RoleTemplate[]) =>
    Promise.all(
      wanted.map(({ key: _key, ...body }) =>
        ROLE_CALLS.create({ "Idempotency-Key": newKey() }, body),
      ),
    ),
  );

  async function create() {
    try {
      const made = await submit(missing.map(({ template }) => template));
      if (made !== undefined) toast.success(t("role.template.made", { count: made.length }));
    } catch (reason) {
      toastError(reason);
    }
    await reload(under(RESOURCES.roles));
  }

  if (missing.length === 0) return null;
  return (
    <section className="ob-surface ob-padded ob-below" aria-labelledby="starter-roles">
      <h2 id="starter-roles">{t("role.template.title")}</h2>
      <p className="ob-quiet ob-below">{t("role.template.hint")}</p>
      <dl className="ob-below">
        {missing.map(({ template: { key, name, description } }) => (
          <div key={key} className="ob-words">
            <dt className="ob-strong">{name}</dt>
            <dd className="ob-quiet">{description}</dd>
          </div>
        ))}
      </dl>
      <Button loading={busy} onClick={() => void create()}>
        {t("role.template.make", { count: missing.length })}
      </Button>
    </section>
  );
}

/**
 * Buttons that fill the form of a new role from a template. If the template's role exists, its
 * button opens that role.
 */
export function TemplateChoice() {
  const { t } = useTranslation("administration");
  const form = Form.useFormInstance<RoleValues>();
  const { open } = useOpenRecord();
  const templates = useTemplates();
  if (templates === undefined || templates.length === 0) return null;
  return (
    <div className="ob-row ob-below" role="group" aria-label={t("role.template.from")}>
      <span className="ob-quiet">{t("role.template.from")}</span>
      {templates.map(({ template: { key, ...values }, made }) =>
        made === undefined ? (
          <Button key={key} size="small" onClick={() => form.setFieldsValue(values)}>
            {values.name}
          </Button>
        ) : (
          <Button key={key} size="small" type="link" onClick={() => open(made.id)}>
            {t("role.template.exists", { name: made.name })}
          </Button>
        ),
      )}
    </div>
  );
}
