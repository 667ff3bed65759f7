/** Whether a record can still be chosen. */
import { useTranslation } from "react-i18next";
import { Chip } from "./Chip";

export function ActiveChip({ active }: { active: boolean }) {
  const { t } = useTranslation("forms");
  return <Chip tone={active ? "good" : "quiet"}>{t(active ? "active" : "inactive")}</Chip>;
}
