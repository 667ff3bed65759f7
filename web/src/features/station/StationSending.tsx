/** Send what waits on this machine from any page, and report it on pages without the station. */
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { useMovements, useSending } from "./queue/useMovements";
import "./station.css";

export default function StationSending() {
  const { t } = useTranslation("station");
  const { pathname } = useLocation();
  const { movements, reached } = useMovements();
  useSending();
  const refused = movements.filter(({ refused: why }) => why !== null);
  const [first] = refused.length > 0 ? refused : movements;
  if (first === undefined || pathname.startsWith("/shop-floor/station/")) return null;
  // Movements that are sent at once are not reported.
  if (refused.length === 0 && reached) return null;
  return (
    <Link
      className="ob-waiting__elsewhere"
      role="status"
      to={`/shop-floor/station/${first.productionProcessId}`}
    >
      {refused.length > 0
        ? t("waiting.refusedTitle", { count: refused.length })
        : t("waiting.title", { count: movements.length })}
    </Link>
  );
}
