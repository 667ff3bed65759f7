/** Why the last write of a row was refused, in the row, until it is written again or the user removes it. */
import CloseOutlined from "@ant-design/icons/es/icons/CloseOutlined";
import { useTranslation } from "react-i18next";
import { forgetRefusal, useRefusal } from "@/shared/http/optimistic";
import type { Document } from "@/shared/http/store";
import { errorText } from "./errors";

export function Refused({ of }: { of: Pick<Document, "kind" | "id"> }) {
  const { t } = useTranslation("shared");
  const refusal = useRefusal(of);
  if (refusal === undefined) return null;
  return (
    <span className="ob-words ob-small">
      <span className="ob-wrong ob-breaks" role="alert">
        {errorText(refusal)}
      </span>
      <button
        type="button"
        className="ob-icon-button"
        aria-label={t("action.close")}
        onClick={(event) => {
          event.stopPropagation(); // a click in a row opens it
          forgetRefusal(of);
        }}
      >
        <CloseOutlined aria-hidden />
      </button>
    </span>
  );
}
