/** Have scrapped pieces made again, all of them or some. See infra/docs/rules.md#scrap. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemOf, type Typed } from "@/shared/format/typedNumber";
import { toast } from "@/shared/ui/toast";
import { piecesToReplace } from "../line/pieces";
import { replace } from "../orders.writes";
import { useSavedLine } from "../useSavedLine";
import { Confirm } from "./Confirm";
import { PiecesField } from "./PiecesField";
import { NothingLeft, PopupFrame, WIDE, type PopupProps } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

export default function ReplacePopup({ onClose, ...props }: PopupProps) {
  const { t } = useTranslation("orders");
  const savedLine = useSavedLine();
  const { send, busy, race, failure, line } = useLineWrite(props.line, replace);
  const most = piecesToReplace(line);
  const [typed, setTyped] = useState<Typed>(most);
  const rule = { least: 1, most };
  const wrong = problemOf(typed, rule) !== null;

  async function accept() {
    if (typeof typed !== "number" || (await send(typed)) === undefined) return;
    toast.saved({ ...savedLine(line), name: t("popup.replaced", { count: typed }) });
    onClose();
  }

  return (
    <PopupFrame
      line={line}
      width={WIDE}
      title={t("popup.replaceTitle")}
      busy={busy}
      onClose={onClose}
    >
      {race !== null && <RaceNote race={race} line={line} />}
      {most === 0 ? (
        <NothingLeft explained={race !== null} onClose={onClose} />
      ) : (
        <Confirm
          question={t("popup.replaceConfirm")}
          accept={wrong ? t("popup.replaceAccept") : t("line.replace", { count: Number(typed) })}
          wrong={wrong}
          failure={failure}
          busy={busy}
          onCancel={onClose}
          onAccept={() => void accept()}
        >
          <PiecesField
            value={typed}
            rule={rule}
            tooMany={t("popup.replaceOnly", { count: most })}
            onChange={setTyped}
          />
          <p className="ob-quiet ob-breaks">{t("popup.replaceText")}</p>
        </Confirm>
      )}
    </PopupFrame>
  );
}
