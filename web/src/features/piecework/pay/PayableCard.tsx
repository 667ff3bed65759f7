import Checkbox from "antd/es/checkbox";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { useLanguage } from "@/shared/i18n";
import { AmountLeft, Left, lineName, Remaining } from "./columns";

interface Props {
  row: Payable;
  ticked: boolean;
  /** Absent if the user may not pay. */
  onTick?: ((ticked: boolean) => void) | undefined;
}

export function PayableCard({ row, ticked, onTick }: Props) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  const words = (
    <span className="ob-stack ob-stack--tight">
      <span className="ob-words ob-apart">
        <strong>{row.outputUsername}</strong>
        <AmountLeft row={row} />
      </span>
      <span>
        {lineName(row)} · {row.productionProcessName}
      </span>
      <span className="ob-words ob-apart">
        <span className="ob-quiet">
          <Left row={row} />
        </span>
        <span>
          <Remaining row={row} language={language} /> {t("column.pieces").toLocaleLowerCase()}
        </span>
      </span>
    </span>
  );
  if (onTick === undefined) return <div className="ob-bar ob-padded ob-payable-tick">{words}</div>;
  return (
    <Checkbox
      className="ob-bar ob-padded ob-payable-tick"
      checked={ticked}
      onChange={({ target }) => onTick(target.checked)}
    >
      {words}
    </Checkbox>
  );
}
