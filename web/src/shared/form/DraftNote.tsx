/** Says that a form or a selection came back as it was before, and offers to begin anew. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import "./form.css";

interface Props {
  /** What came back, where it was not typed. */
  text?: string;
  onDrop: () => void;
}

export function DraftNote({ text, onDrop }: Props) {
  const { t } = useTranslation("forms");
  return (
    <p className="ob-note" role="status">
      {text ?? t("draft.kept")}{" "}
      <Button type="link" size="small" onClick={onDrop}>
        {t("draft.drop")}
      </Button>
    </p>
  );
}
