/** Choose the permissions of a role or a service account: collapsible groups with a search. */
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import RightOutlined from "@ant-design/icons/es/icons/RightOutlined";
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Permission, PermissionRow } from "@/contract";
import { PERMISSIONS_OF, usePartsOff } from "@/entities/parts";
import { useLanguage } from "@/shared/i18n";
import { useSignedIn } from "@/shared/session/session";
import { SearchField } from "@/shared/ui/SearchField";
import { useKnownPermissions } from "../administration.api";
import { branches, describe, toggleGroup, type Branch } from "./tree";
import "../administration.css";

interface Props {
  id?: string;
  value?: Permission[];
  onChange?: (actions: Permission[]) => void;
  /** Permissions that the role already has. Users may keep or remove them without holding them. */
  kept: readonly Permission[];
  /** The permissions to choose from; all of them if absent. */
  only?: readonly Permission[];
  disabled?: boolean;
}

export function PermissionTree({ id, value = [], onChange, kept, only, disabled = false }: Props) {
  const { t } = useTranslation("administration");
  const known = useKnownPermissions();
  const rows = only === undefined ? known : known?.filter(({ action }) => only.includes(action));
  const [search, setSearch] = useState("");
  const off = usePartsOff();
  const ofPartsOff = [...off].flatMap((part) => PERMISSIONS_OF[part]);
  const hidden = new Set(ofPartsOff.filter((action) => !value.includes(action)));
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const group = { id, role: "group", "aria-label": t("role.field.permissions") };
  if (rows === undefined) {
    return (
      <div {...group} aria-busy>
        <Skeleton active title={false} />
      </div>
    );
  }
  const found = branches(rows, search, hidden);
  const change = (actions: Permission[]) => onChange?.(actions.toSorted());

  return (
    <div {...group}>
      <div className="ob-row ob-below ob-permissions__tools">
        <SearchField value={search} label={t("role.searchPermissions")} onSearch={setSearch} />
        <span className="ob-quiet" role="status">
          {t("role.chosen", { count: value.length })}
        </span>
      </div>
      {found.length === 0 && <p className="ob-quiet">{t("role.noPermission")}</p>}
      {found.map((branch) => (
        <GroupBranch
          key={branch.group}
          branch={branch}
          open={search !== "" || open.has(branch.group)}
          onOpen={() =>
            setOpen((groups) => {
              const next = new Set(groups);
              if (!next.delete(branch.group)) next.add(branch.group);
              return next;
            })
          }
          value={value}
          kept={kept}
          disabled={disabled}
          onChange={change}
        />
      ))}
    </div>
  );
}

interface BranchProps {
  branch: Branch;
  open: boolean;
  onOpen: () => void;
  value: Permission[];
  kept: readonly Permission[];
  disabled: boolean;
  onChange: (actions: Permission[]) => void;
}

function GroupBranch({ branch, open, onOpen, value, kept, disabled, onChange }: BranchProps) {
  const { t } = useTranslation("administration");
  const language = useLanguage();
  const held = useSignedIn().permissions;
  const mayGive = (action: Permission) => held.includes(action) || kept.includes(action);
  const actions = [...branch.rows, ...branch.folded].map(({ action }) => action);
  const given = actions.filter(mayGive);
  const chosen = actions.filter((action) => value.includes(action));
  const name = t(`group.${branch.group}`);
  const list = (rows: readonly PermissionRow[]) => (
    <ul className="ob-permissions__list">
      {rows.map((row) => (
        <li key={row.action}>
          <Checkbox
            checked={value.includes(row.action)}
            disabled={disabled || !mayGive(row.action)}
            onChange={() => onChange(toggleGroup(value, [row.action]))}
          >
            {describe(row, language)}
            <span className="ob-quiet ob-small ob-permissions__action">{row.action}</span>
            {!mayGive(row.action) && (
              <span className="ob-small ob-doubtful ob-permissions__reason">
                {t("role.notHeld")}
              </span>
            )}
          </Checkbox>
        </li>
      ))}
    </ul>
  );
  return (
    <section>
      <div className="ob-bar ob-permissions__head">
        <Button
          type="text"
          size="small"
          disabled={false}
          icon={open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
          aria-expanded={open}
          aria-label={t("role.show", { group: name })}
          onClick={onOpen}
        />
        <Checkbox
          checked={chosen.length === actions.length}
          indeterminate={chosen.length > 0 && chosen.length < actions.length}
          disabled={disabled || given.length === 0}
          onChange={() => onChange(toggleGroup(value, given))}
        >
          {name}
        </Checkbox>
        <span className="ob-quiet">{`${chosen.length} / ${actions.length}`}</span>
      </div>
      {open && list(branch.rows)}
      {open && branch.folded.length > 0 && (
        <details className="ob-permissions__list">
          <summary>{t("role.ofPartsOff")}</summary>
          {list(branch.folded)}
        </details>
      )}
    </section>
  );
}
