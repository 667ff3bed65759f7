/** While the person was choosing, somebody took the last choice away. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";

export function NothingLeft({ told, onClose }: { told: boolean; onClose: () => void }) {
  const { t } = useTranslation(["orders", "shared"]);
  return (
    <div className="ob-confirm">
      {!told && <p role="status">{t("race.changed")}</p>}
      <div className="ob-confirm__buttons">
        <Button size="large" onClick={onClose}>
          {t("shared:action.close")}
        </Button>
      </div>
    </div>
  );
}
