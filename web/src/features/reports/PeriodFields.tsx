import { useTranslation } from "react-i18next";
import { DayField } from "@/shared/form/DayField";
import type { Period } from "./periods";

interface Props {
  /** Name of the period, for screen readers. */
  label: string;
  period: Period;
  onChange: (change: Partial<Period>) => void;
}

export function PeriodFields({ label, period, onChange }: Props) {
  const { t } = useTranslation("shared");
  return (
    <fieldset className="ob-row ob-period" aria-label={label}>
      {(["from", "to"] as const).map((name) => (
        <DayField
          key={name}
          allowClear={false}
          missing={t(`days.missing.${name}`)}
          aria-label={t(`days.${name}`)}
          value={period[name]}
          onChange={(day) => day !== null && onChange({ [name]: day })}
        />
      ))}
    </fieldset>
  );
}
