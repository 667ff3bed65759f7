/** "Luis Vega entered 10 pieces into Casting", in the person's language. */
import { useTranslation } from "react-i18next";
import type { Happening } from "./happening";

export function useHappeningText(): (happening: Happening, own?: boolean) => string {
  const { t } = useTranslation(["orders", "shared"]);
  return (happening, own = false) => {
    const who = own ? t("happened.you") : (happening.who ?? t("happened.somebody"));
    switch (happening.kind) {
      case "in":
      case "out": {
        const pieces = t("pieces", { count: happening.pieces });
        return t(`happened.${happening.kind}`, { who, pieces, process: happening.process });
      }
      case "release":
      case "undo":
        return t(`happened.${happening.kind}`, { who, process: happening.process });
      case "status":
        return t("happened.status", { who, status: t(`shared:status.${happening.status}`) });
      case "change":
        return t("happened.change", { who });
    }
  };
}
