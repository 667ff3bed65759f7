/** Sign for metal that was lost above what the process allows. See infra/docs/rules.md#metal. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line, ProcessRecord } from "@/contract";
import { formatGrams, formatLossShare } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { toast } from "@/shared/ui/toast";
import { Scrapped } from "../history/columns";
import { signLoss } from "../orders.writes";
import { useSavedLine } from "../useSavedLine";
import { Confirm } from "./Confirm";
import { PopupFrame, WIDE } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

interface Props {
  line: Line;
  record: ProcessRecord;
  onClose: () => void;
}

export function SignLossPopup({ record, onClose, ...props }: Props) {
  const { t } = useTranslation("orders");
  const language = useLanguage();
  const savedLine = useSavedLine();
  // Send the version that the user saw. A change since then is refused, because they must see what
  // they sign.
  const [seen] = useState(props.line);
  const { send, busy, race, failure, line } = useLineWrite(props.line, (headers, _, id: number) =>
    signLoss(headers, seen, id),
  );
  const { productionProcessName: process, lossGrams, lossPerMille, allowedLoss } = record;
  const { scrapReason, weightReason: reason, gramsBetween } = record;
  const isLoss =
    lossGrams !== null &&
    (gramsBetween === null || (lossPerMille ?? 0) > (allowedLoss ?? Infinity));
  const share = (perMille: number | null) => formatLossShare(perMille ?? 0, language);

  async function accept() {
    if ((await send(record.id)) === undefined) return;
    toast.saved({ ...savedLine(line), name: t("sign.saved", { process }) });
    onClose();
  }

  return (
    <PopupFrame line={line} width={WIDE} title={t("sign.title")} busy={busy} onClose={onClose}>
      {race !== null && <RaceNote race={race} line={line} />}
      <Confirm
        question={
          isLoss
            ? t("sign.question", {
                grams: formatGrams(lossGrams, language),
                share: share(lossPerMille),
                process,
              })
            : t("sign.between", { grams: formatGrams(gramsBetween ?? 0, language), process })
        }
        accept={t("sign.accept")}
        wrong={race !== null}
        failure={failure}
        busy={busy}
        onCancel={onClose}
        onAccept={() => void accept()}
      >
        {allowedLoss !== null && allowedLoss <= (lossPerMille ?? 0) && (
          <p>{t("history.allowed", { share: share(allowedLoss) })}</p>
        )}
        {scrapReason !== null && <Scrapped reason={scrapReason} t={t} />}
        <p>{reason === "" ? t("sign.noReason") : t("sign.reason", { reason })}</p>
      </Confirm>
    </PopupFrame>
  );
}
