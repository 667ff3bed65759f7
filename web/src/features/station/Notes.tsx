/** Notes about the pieces: buttons for frequent ones, and a field for the rest. */
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";

const CHIPS = ["detail", "polish", "urgent", "repair"] as const;
const NOTES_MOST = 200;
const BETWEEN = ", ";

interface Props {
  value: string;
  onChange: (notes: string) => void;
}

export function Notes({ value, onChange }: Props) {
  const { t } = useTranslation("station");
  const said = value.split(BETWEEN).filter((part) => part !== "");

  function toggle(chip: string) {
    const next = said.includes(chip) ? said.filter((part) => part !== chip) : [...said, chip];
    onChange(next.join(BETWEEN).slice(0, NOTES_MOST));
  }

  return (
    <div className="ob-row">
      <div className="ob-row" role="group" aria-label={t("notes.label")}>
        {CHIPS.map((name) => {
          const chip = t(`notes.chips.${name}`);
          const pressed = said.includes(chip);
          return (
            <Button
              key={name}
              className="ob-station__button"
              type={pressed ? "primary" : "default"}
              aria-pressed={pressed}
              onClick={() => toggle(chip)}
            >
              {chip}
            </Button>
          );
        })}
      </div>
      <Input
        size="large"
        className="ob-notes__text"
        value={value}
        maxLength={NOTES_MOST}
        aria-label={t("notes.label")}
        placeholder={t("notes.placeholder")}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
