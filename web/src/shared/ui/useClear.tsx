/** The x that empties a field, with a name for screen readers in the person's language. */
import CloseCircleFilled from "@ant-design/icons/es/icons/CloseCircleFilled";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** For the `allowClear` of an input, a select box or a date. Tab passes it: the field is emptied by its own keys. */
export function useClear(): { clearIcon: ReactNode; label: string } {
  const { t } = useTranslation("shared");
  const label = t("action.clear");
  return { clearIcon: <CloseCircleFilled aria-label={label} ref={passedByTab} />, label };
}

/** The button around the icon is the field's own, and takes no props. */
function passedByTab(icon: HTMLElement | null) {
  icon?.closest("button")?.setAttribute("tabindex", "-1");
}
