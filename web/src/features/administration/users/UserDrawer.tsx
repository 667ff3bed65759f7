/** Form of a user, with buttons for station access, personal data and erasure. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { User, UserIn } from "@/contract";
import { namesOf, useWholeOptions } from "@/shared/form/OptionsSelect";
import { RecordDrawer } from "@/shared/form/RecordDrawer";
import { useQuestion } from "@/shared/form/useQuestion";
import { useAddress } from "@/shared/hooks/useAddress";
import { useSubmit } from "@/shared/ui/useSubmit";
import { download } from "@/shared/http/download";
import { LANGUAGE_NAMES } from "@/shared/language";
import { storeUser, useMay, useSignedIn } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { personalData, useEveryRole, USER_CALLS } from "../administration.api";
import { UserFields } from "./UserFields";
import {
  BLANK_USER,
  ERASE,
  STATION,
  USER_FIELDS,
  userBody,
  userValues,
  type UserValues,
} from "./values";

interface Props {
  /** Absent for a new user. */
  user?: User | undefined;
  onClose: () => void;
}

export default function UserDrawer({ user, onClose }: Props) {
  const { t } = useTranslation(["administration", "forms"]);
  const me = useSignedIn().user.id;
  const [mayCreate, mayUpdate] = [useMay("CreateUser"), useMay("UpdateUser")];
  const mayDelete = useMay("DeleteUser");
  const isErased = user?.erased === true;
  const lists = {
    roleIds: useWholeOptions("roles"),
    productionProcessIds: useWholeOptions("production-processes"),
  };
  const customers = useWholeOptions("customers");
  const { confirm, question } = useAdministratorQuestion(user);

  function text(field: keyof UserValues, values: UserValues): string {
    const value = values[field];
    if (field === "roleIds" || field === "productionProcessIds") {
      return namesOf(lists[field], values[field]);
    }
    if (field === "customerId") return value === null ? "" : namesOf(customers, [Number(value)]);
    if (field === "userType") return t(`user.type.${values.userType}`);
    if (field === "language") return LANGUAGE_NAMES[values.language];
    return typeof value === "boolean" ? t(value ? "forms:yes" : "forms:no") : String(value ?? "");
  }

  return (
    <RecordDrawer<User, UserValues, UserIn>
      resource="users"
      record={user}
      title={user === undefined ? t("user.new") : user.fullName}
      nameOf={({ fullName }) => fullName}
      calls={USER_CALLS}
      may={{
        save: user === undefined ? mayCreate : mayUpdate && !isErased,
        remove: mayDelete && !isErased,
      }}
      valuesOf={userValues}
      blank={BLANK_USER}
      bodyOf={userBody}
      fields={USER_FIELDS}
      secret={["password", "pin"]}
      confirm={confirm}
      describe={(field, values) => ({ label: t(`user.field.${field}`), text: text(field, values) })}
      afterSave={async (_headers, saved) => {
        if (saved.id === me) storeUser(saved);
      }}
      // Render the question outside of the form, because a form that is being sent ignores keys.
      top={question}
      inactive={user?.active === true ? { active: false } : undefined}
      onClose={onClose}
    >
      <UserFields user={user} isSelf={user?.id === me} />
      {user !== undefined && <PersonActions user={user} isSelf={user.id === me} />}
    </RecordDrawer>
  );
}

/**
 * Ask for confirmation before a person gets a role with which they can give any permission to
 * anybody. `confirm` resolves to false if the user declines.
 */
function useAdministratorQuestion(user: User | undefined) {
  const { t } = useTranslation("administration");
  const { data: roles = [] } = useEveryRole(useMay("ListRoles"));
  const { ask, question } = useQuestion();

  async function confirm({ roleIds, userType, firstName }: UserValues): Promise<boolean> {
    const given = roles.find(
      ({ id, administrator }) =>
        administrator && roleIds.includes(id) && user?.roleIds.includes(id) !== true,
    );
    if (given === undefined || userType === "Customer") return true;
    const asked = { role: given.name, name: firstName.trim() };
    return ask({
      title: t("user.administrator.title", asked),
      text: t("user.administrator.question", asked),
      accept: t("user.administrator.accept", asked),
      decline: t("keep"),
    });
  }

  return { confirm, question };
}

/** Buttons for station access, personal data and erasure. */
function PersonActions({ user, isSelf }: { user: User; isSelf: boolean }) {
  const { t } = useTranslation("administration");
  const [, change] = useAddress();
  const mayUpdate = useMay("UpdateUser");
  const mayManageData = useMay("ManagePersonalData");
  const { submit, busy } = useSubmit(() =>
    download(personalData(user.id), `personal-data-${user.id}.json`),
  );
  const open = (what: string) =>
    change((next) => {
      next.delete("record");
      next.set(what, String(user.id));
    });
  // Keep these buttons enabled, even if the form is read-only.
  return (
    <div className="ob-row ob-above">
      {user.userType === "Internal" && mayUpdate && !user.erased && (
        <Button disabled={false} onClick={() => open(STATION)}>
          {t("user.station.open")}
        </Button>
      )}
      {mayManageData && (
        <Button disabled={false} loading={busy} onClick={() => void submit().catch(toastError)}>
          {t("user.personalData")}
        </Button>
      )}
      {mayManageData && !isSelf && !user.erased && (
        <Button danger disabled={false} onClick={() => open(ERASE)}>
          {t("user.erase.open")}
        </Button>
      )}
    </div>
  );
}
