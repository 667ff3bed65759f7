/**
 * Say in one sentence what a holder of these permissions can do, and in a second one which
 * permissions are missing for it.
 */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Permission } from "@/contract";
import { useLanguage } from "@/shared/i18n";
import { useHoldsAll, useMay } from "@/shared/session/session";
import { useKnownPermissions } from "../administration.api";
import { abilitiesOf, missingOf, othersOf } from "./abilities";
import { describe } from "./tree";

interface Props {
  permissions: readonly Permission[];
  /** Adds the missing permissions; absent where the permissions cannot be changed. */
  onAdd?: ((missing: Permission[]) => void) | undefined;
}

export function RoleSentence({ permissions, onAdd }: Props) {
  const { t } = useTranslation("administration");
  const language = useLanguage();
  const holdsAll = useHoldsAll();
  const rows = useKnownPermissions() ?? [];
  const others = othersOf(permissions);
  const may = [
    ...abilitiesOf(permissions).map((one) => t(`role.can.${one}`)),
    ...rows
      .filter(({ action }) => others.includes(action))
      .map((row) => inSentence(describe(row, language))),
  ];
  const missing = missingOf(permissions, rows);
  const actions = missing.map(({ action }) => action);
  const mayList = useMay("ListPermissions");
  const isAll =
    mayList && rows.length > 0 && rows.every(({ action }) => permissions.includes(action));
  const listed = (words: string[]) => new Intl.ListFormat(language).format(words);
  return (
    <div className="ob-note ob-below" aria-live="polite">
      <p>
        {may.length === 0
          ? t("role.nothing")
          : isAll
            ? t("role.everything")
            : t("role.may", { what: listed(may) })}
      </p>
      {missing.length > 0 && (
        <p className="ob-row">
          <span>
            {t("role.lacks", {
              what: listed(missing.map((row) => `«${describe(row, language)}»`)),
            })}
          </span>
          {onAdd !== undefined && holdsAll(actions) && (
            <Button size="small" onClick={() => onAdd(actions)}>
              {t("role.addMissing")}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

const inSentence = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);
