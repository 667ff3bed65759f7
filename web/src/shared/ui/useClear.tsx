/** The x that empties a field, with a name for screen readers in the person's language. */
import CloseCircleFilled from "@ant-design/icons/es/icons/CloseCircleFilled";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** For the `allowClear` of an input or a select box. */
export function useClear(): { clearIcon: ReactNode; label: string } {
  const { t } = useTranslation("shared");
  const label = t("action.clear");
  return { clearIcon: <CloseCircleFilled aria-label={label} />, label };
}
