/** The slide-over menu: every page that the user may open, by group. */
import Drawer from "antd/es/drawer";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import type { Permission } from "@/contract";
import { useSignedIn } from "@/shared/session/session";
import { holds } from "../guard";
import { ROUTES, titleKey, type AppRoute, type MenuGroup } from "../routes";

export default function SideMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation(["shell", "shared", "catalogs"]);
  const { permissions } = useSignedIn();
  return (
    <Drawer
      rootClassName="ob-menu-drawer"
      placement="left"
      size={288}
      open={open}
      onClose={onClose}
      title={t("shared:product")}
      closable={{ "aria-label": t("menu.close") }}
    >
      <nav className="ob-menu" aria-label={t("menu.label")}>
        {menuOf(ROUTES, permissions).map(({ group, entries }) => (
          <section className="ob-menu__group" key={group}>
            <h2>{t(`menu.groups.${group}`)}</h2>
            <ul>
              {entries.map(({ path, title }) => (
                <li key={path}>
                  <NavLink to={path} onClick={onClose}>
                    {t(titleKey(title))}
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </Drawer>
  );
}

/** Daily work first: with many groups the last ones are below the window's edge. */
const GROUPS: readonly MenuGroup[] = [
  "main",
  "operations",
  "reports",
  "catalogs",
  "administration",
];

interface MenuSection {
  group: MenuGroup;
  entries: AppRoute[];
}

/** The links that a user may open, in groups, without empty groups. */
export function menuOf(
  routes: readonly AppRoute[],
  permissions: readonly Permission[],
): MenuSection[] {
  return GROUPS.map((group) => ({
    group,
    entries: routes.filter(({ access, menu }) => menu === group && holds(permissions, access)),
  })).filter(({ entries }) => entries.length > 0);
}
