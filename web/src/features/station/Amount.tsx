/**
 * Keypad for the number of pieces: the whole of them until a key is pressed. A number that is too
 * high is reported, not changed.
 */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const ROWS = [
  ["7", "8", "9"],
  ["4", "5", "6"],
  ["1", "2", "3"],
] as const;
const LONGEST = 6;

interface Props {
  type: "in" | "out";
  /** The pieces that are here: fewer than `most` if those of earlier processes may enter too. */
  whole: number;
  most: number;
  /** Null: the whole. */
  typed: string | null;
  onType: (typed: string | null) => void;
}

export function Amount({ type, whole, most, typed, onType: onChange }: Props) {
  const { t } = useTranslation("station");
  /** The number is a share of the pieces, so the next digit starts a new one. */
  const [isShare, setIsShare] = useState(false);
  const quantity = typed === null ? whole : Number(typed);
  const part = (of: number) => Math.max(1, Math.round(whole * of));
  const problem =
    quantity > most
      ? t(type === "out" ? "amount.onlyOut" : "amount.onlyIn", { count: most })
      : quantity < 1
        ? t("amount.missing")
        : null;

  const onType = (next: string | null) => {
    setIsShare(true);
    onChange(next);
  };
  const onDigits = (next: string) => {
    setIsShare(false);
    onChange(next);
  };
  const press = (digit: string) =>
    onDigits(`${isShare ? "" : (typed ?? "")}${digit}`.replace(/^0+/, "").slice(0, LONGEST));

  const key = (label: string, onClick: () => void, name = label) => (
    <Button key={label} className="ob-pad__key" aria-label={name} onClick={onClick}>
      {label}
    </Button>
  );

  const parts = [
    key(`${t("amount.quarter")} · ${part(0.25)}`, () => onType(String(part(0.25)))),
    key(`${t("amount.half")} · ${part(0.5)}`, () => onType(String(part(0.5)))),
    key(t("amount.all"), () => onType(null)),
  ];

  return (
    <fieldset aria-label={t("amount.label")}>
      <output
        className={
          problem === null
            ? "ob-quiet ob-pieces-pad__now"
            : "ob-quiet ob-pieces-pad__now ob-pieces-pad__now--no"
        }
      >
        <strong>{typed ?? whole}</strong>{" "}
        {t(whole < most ? "amount.ofReady" : "amount.of", { count: whole, most })}
      </output>
      <p className="ob-wrong ob-pieces-pad__problem" role="status">
        {problem}
      </p>
      <div className="ob-pad ob-pad--parts">
        {ROWS.map((digits, row) => [
          ...digits.map((digit) => key(digit, () => press(digit))),
          parts[row],
        ])}
        {key("0", () => press("0"))}
        {key("⌫", () => onDigits((typed ?? "").slice(0, -1)), t("amount.delete"))}
      </div>
    </fieldset>
  );
}
