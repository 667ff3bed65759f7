/** "Luis Vega entered 10 pieces into Casting", in the person's language. */
import { useTranslation } from "react-i18next";
import type { LineActivity } from "./lineActivity";

export function useActivityText(): (activity: LineActivity, own?: boolean) => string {
  const { t } = useTranslation(["orders", "shared"]);
  return (activity, own = false) => {
    const who = own ? t("happened.you") : (activity.who ?? t("happened.somebody"));
    switch (activity.kind) {
      case "in":
      case "out": {
        const pieces = t("pieces", { count: activity.pieces });
        return t(`happened.${activity.kind}`, { who, pieces, process: activity.process });
      }
      case "release":
      case "undo":
        return t(`happened.${activity.kind}`, { who, process: activity.process });
      case "status":
        return t("happened.status", { who, status: t(`shared:status.${activity.status}`) });
      case "change":
        return t("happened.change", { who });
    }
  };
}
