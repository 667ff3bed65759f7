/** Says that a form came back with what was typed before, and offers to begin anew. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import "./form.css";

export function DraftNote({ onDrop }: { onDrop: () => void }) {
  const { t } = useTranslation("forms");
  return (
    <p className="ob-note" role="status">
      {t("draft.kept")}{" "}
      <Button type="link" size="small" onClick={onDrop}>
        {t("draft.drop")}
      </Button>
    </p>
  );
}
