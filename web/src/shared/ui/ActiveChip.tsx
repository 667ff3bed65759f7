/** Whether a record of a catalog is in use, in words and colour. */
import { useTranslation } from "react-i18next";
import "./StatusChip.css";

export function ActiveChip({ active }: { active: boolean }) {
  const { t } = useTranslation("forms");
  return (
    <span className={`ob-chip ob-chip--${active ? "Done" : "New"}`}>
      {active ? t("active") : t("inactive")}
    </span>
  );
}
