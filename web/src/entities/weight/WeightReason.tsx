/** The field for the reason why more metal leaves than entered, or why more was lost than is allowed. */
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";

const REASON_MOST = 200;

interface Props {
  /** What the field asks. */
  of?: "heavier" | "loss";
  value: string;
  onChange: (why: string) => void;
}

export function WeightReason({ of = "heavier", value, onChange }: Props) {
  const { t } = useTranslation("weight");
  return (
    <label className="ob-stack ob-stack--tight ob-strong">
      <span>{t(`why.${of}`)}</span>
      <Input
        size="large"
        value={value}
        maxLength={REASON_MOST}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
