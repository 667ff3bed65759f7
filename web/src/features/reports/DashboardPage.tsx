/** Dashboard: orders by status, lines past their delivery date, and what left each process. */
import { useTranslation } from "react-i18next";
import { Link, Navigate, useLocation } from "react-router";
import type { OrderStatus } from "@/contract";
import { today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { LANDED, useStart } from "@/shared/hooks/useStart";
import { ORDER_STATUSES } from "@/entities/statuses";
import { PageTitle } from "@/shared/ui/PageTitle";
import { ExpiredLines } from "./dashboard/ExpiredLines";
import { StatusCounts } from "./dashboard/StatusCounts";
import { StatusDetails } from "./dashboard/StatusDetails";
import { ThroughputTable } from "./dashboard/ThroughputTable";
import { PeriodFields } from "./PeriodFields";
import { daysUpTo, periodOf } from "./periods";
import "./reports.css";
import "./dashboard/dashboard.css";

const USUAL_DAYS = 30;

export default function DashboardPage() {
  const { t } = useTranslation("reports");
  const { state }: { state: unknown } = useLocation();
  const [address, change] = useAddress();
  const period = periodOf(address.get("from"), address.get("to"), daysUpTo(today(), USUAL_DAYS));
  const opened = ORDER_STATUSES.find((status) => status === address.get("status"));
  // A new installation has nothing to count: home lists what to set up.
  const { demo, isNew, isUnknown, hasOrders, left } = useStart();
  const open = (status: OrderStatus) => change((next) => next.set("status", status));
  if (isUnknown) return null;
  // The doors of the demo are at home.
  if ((isNew && !hasOrders) || (demo !== null && state === LANDED)) {
    return <Navigate to="/home" replace />;
  }
  return (
    <div className="ob-page">
      <PageTitle
        title={t("dashboard.title")}
        note={t("dashboard.note")}
        actions={
          <PeriodFields
            label={t("period.label")}
            period={period}
            onChange={(days) =>
              change((next) =>
                Object.entries({ ...period, ...days }).forEach(([name, day]) =>
                  next.set(name, day),
                ),
              )
            }
          />
        }
      />
      {demo !== null && (
        <p className="ob-note">
          {t("dashboard.demo")} <Link to="/home">{t("dashboard.demoLink")}</Link>
        </p>
      )}
      {isNew && (
        <p className="ob-note">
          {t("dashboard.start", { count: left })} <Link to="/home">{t("dashboard.startLink")}</Link>
        </p>
      )}
      <div className="ob-halves">
        <ExpiredLines />
        <StatusCounts period={period} onOpen={open} />
        <ThroughputTable period={period} />
      </div>
      {opened !== undefined && (
        <StatusDetails
          status={opened}
          period={period}
          onClose={() =>
            change((next) => {
              next.delete("status");
              next.delete("show");
            })
          }
        />
      )}
    </div>
  );
}
