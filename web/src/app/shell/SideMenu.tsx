/** The slide-over menu: every page that the user may open, by group. */
import ApiOutlined from "@ant-design/icons/es/icons/ApiOutlined";
import AppstoreOutlined from "@ant-design/icons/es/icons/AppstoreOutlined";
import AuditOutlined from "@ant-design/icons/es/icons/AuditOutlined";
import BankOutlined from "@ant-design/icons/es/icons/BankOutlined";
import BarChartOutlined from "@ant-design/icons/es/icons/BarChartOutlined";
import CalculatorOutlined from "@ant-design/icons/es/icons/CalculatorOutlined";
import CheckCircleOutlined from "@ant-design/icons/es/icons/CheckCircleOutlined";
import ContactsOutlined from "@ant-design/icons/es/icons/ContactsOutlined";
import DashboardOutlined from "@ant-design/icons/es/icons/DashboardOutlined";
import DatabaseOutlined from "@ant-design/icons/es/icons/DatabaseOutlined";
import DesktopOutlined from "@ant-design/icons/es/icons/DesktopOutlined";
import DisconnectOutlined from "@ant-design/icons/es/icons/DisconnectOutlined";
import DollarOutlined from "@ant-design/icons/es/icons/DollarOutlined";
import ExperimentOutlined from "@ant-design/icons/es/icons/ExperimentOutlined";
import FileDoneOutlined from "@ant-design/icons/es/icons/FileDoneOutlined";
import FileTextOutlined from "@ant-design/icons/es/icons/FileTextOutlined";
import FireOutlined from "@ant-design/icons/es/icons/FireOutlined";
import GlobalOutlined from "@ant-design/icons/es/icons/GlobalOutlined";
import GoldOutlined from "@ant-design/icons/es/icons/GoldOutlined";
import GroupOutlined from "@ant-design/icons/es/icons/GroupOutlined";
import HomeOutlined from "@ant-design/icons/es/icons/HomeOutlined";
import IdcardOutlined from "@ant-design/icons/es/icons/IdcardOutlined";
import LineChartOutlined from "@ant-design/icons/es/icons/LineChartOutlined";
import NodeIndexOutlined from "@ant-design/icons/es/icons/NodeIndexOutlined";
import PercentageOutlined from "@ant-design/icons/es/icons/PercentageOutlined";
import SafetyOutlined from "@ant-design/icons/es/icons/SafetyOutlined";
import ScheduleOutlined from "@ant-design/icons/es/icons/ScheduleOutlined";
import SendOutlined from "@ant-design/icons/es/icons/SendOutlined";
import SketchOutlined from "@ant-design/icons/es/icons/SketchOutlined";
import TableOutlined from "@ant-design/icons/es/icons/TableOutlined";
import TeamOutlined from "@ant-design/icons/es/icons/TeamOutlined";
import UnorderedListOutlined from "@ant-design/icons/es/icons/UnorderedListOutlined";
import Drawer from "antd/es/drawer";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import type { Permission } from "@/contract";
import { usePartsOff, type PartKey } from "@/entities/parts";
import { useBrand } from "@/shared/hooks/useBrand";
import { useSignedIn } from "@/shared/session/session";
import { holds } from "../guard";
import { ROUTES, titleKey, type AppRoute, type MenuGroup, type PageTitle } from "../routes";

export default function SideMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation(["shell", "catalogs", "reports"]);
  const { permissions } = useSignedIn();
  const off = usePartsOff();
  const brand = useBrand();
  return (
    <Drawer
      rootClassName="ob-menu-drawer"
      placement="left"
      size={288}
      open={open}
      onClose={onClose}
      title={brand?.name}
      closable={{ "aria-label": t("menu.close") }}
    >
      <nav className="ob-menu" aria-label={t("menu.label")}>
        {menuOf(ROUTES, permissions, off).map(({ group, entries }) => {
          const links = (
            <ul>
              {entries.map(({ path, title }) => {
                const Icon = ICONS[title];
                return (
                  <li key={path}>
                    <NavLink to={path} onClick={onClose}>
                      {Icon !== undefined && <Icon aria-hidden />}
                      {t(titleKey(title))}
                    </NavLink>
                  </li>
                );
              })}
            </ul>
          );
          return group === "more" ? (
            <details className="ob-menu__group" key={group}>
              <summary>{t("menu.groups.more")}</summary>
              {links}
            </details>
          ) : (
            <section className="ob-menu__group" key={group}>
              <h2>{t(`menu.groups.${group}`)}</h2>
              {links}
            </section>
          );
        })}
      </nav>
    </Drawer>
  );
}

/** An icon for each page of the menu, because users find icons faster than words. */
export const ICONS: Partial<Record<PageTitle, typeof ApiOutlined>> = {
  home: HomeOutlined,
  dashboard: DashboardOutlined,
  salesOrders: FileTextOutlined,
  orders: UnorderedListOutlined,
  shopFloor: AppstoreOutlined,
  salesOrdersReport: BarChartOutlined,
  flow: LineChartOutlined,
  promises: ScheduleOutlined,
  batches: GroupOutlined,
  metal: DatabaseOutlined,
  metalReport: PercentageOutlined,
  scrap: DisconnectOutlined,
  bills: FileDoneOutlined,
  payOrders: DollarOutlined,
  paidOrders: CheckCircleOutlined,
  customers: ContactsOutlined,
  components: GoldOutlined,
  "export-tax-items": GlobalOutlined,
  companies: BankOutlined,
  materials: ExperimentOutlined,
  alloys: FireOutlined,
  "production-processes": NodeIndexOutlined,
  items: SketchOutlined,
  piecePrices: CalculatorOutlined,
  lists: TableOutlined,
  users: TeamOutlined,
  roles: IdcardOutlined,
  permissions: SafetyOutlined,
  displays: DesktopOutlined,
  integrations: ApiOutlined,
  webhooks: SendOutlined,
  audit: AuditOutlined,
};

/**
 * The groups in order. Daily work comes first: with many groups, the last ones are below the
 * window's edge.
 */
const GROUPS: readonly MenuGroup[] = [
  "main",
  "operations",
  "reports",
  "catalogs",
  "administration",
  "more",
];

interface MenuSection {
  group: MenuGroup;
  entries: AppRoute[];
}

/** The links that a user may open, in groups, without those of parts that are off and without empty groups. */
export function menuOf(
  routes: readonly AppRoute[],
  permissions: readonly Permission[],
  off: ReadonlySet<PartKey>,
): MenuSection[] {
  const shown = routes.filter(
    ({ access, part }) => holds(permissions, access) && (part === undefined || !off.has(part)),
  );
  return GROUPS.map((group) => ({
    group,
    entries: shown.filter(({ menu, menuToo }) => menu === group || menuToo === group),
  })).filter(({ entries }) => entries.length > 0);
}
