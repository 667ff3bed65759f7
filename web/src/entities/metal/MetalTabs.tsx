/** The views of the metal, at the top of each of them. */
import Segmented from "antd/es/segmented";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { useMay } from "@/shared/session/session";
import { BALANCES, COUNTS, DAY, LEDGER, LOTS, REFINING, TRAYS } from "./paths";

const TABS = [
  [BALANCES, "balances"],
  [DAY, "day"],
  [LEDGER, "ledger"],
  [LOTS, "lots"],
  [REFINING, "refining"],
  [COUNTS, "counts"],
  [TRAYS, "trays"],
] as const;

export function MetalTabs() {
  const { t } = useTranslation("metal");
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const mayClose = useMay("CloseMetalDay");
  const shown = TABS.filter(([path]) => mayClose || path !== DAY);
  return (
    <Segmented<string>
      aria-label={t("tabs.label")}
      value={pathname}
      options={shown.map(([value, name]) => ({ value, label: t(`tabs.${name}`) }))}
      onChange={(path) => void navigate(path)}
    />
  );
}
