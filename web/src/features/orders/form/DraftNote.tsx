/** Says that a form came back with what was typed before, and offers to begin anew. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";

export function DraftNote({ onDrop }: { onDrop: () => void }) {
  const { t } = useTranslation("orders");
  return (
    <p className="ob-note" role="status">
      {t("form.draftKept")}{" "}
      <Button type="link" size="small" onClick={onDrop}>
        {t("form.draftDrop")}
      </Button>
    </p>
  );
}
