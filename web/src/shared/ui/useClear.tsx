/** The x that clears a field, with a translated name for screen readers. */
import CloseCircleFilled from "@ant-design/icons/es/icons/CloseCircleFilled";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Return the `allowClear` of an input, a select box or a date. Tab skips the x; keys in the field clear it too. */
export function useClear(): { clearIcon: ReactNode; label: string } {
  const { t } = useTranslation("shared");
  const label = t("action.clear");
  return { clearIcon: <CloseCircleFilled aria-label={label} ref={passedByTab} />, label };
}

/** Set the tabindex of the button around the icon, which Ant Design renders without props for it. */
function passedByTab(icon: HTMLElement | null) {
  icon?.closest("button")?.setAttribute("tabindex", "-1");
}
