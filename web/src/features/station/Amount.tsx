/**
 * Keypad for the number of pieces. Until a key is pressed, the number is all pieces, or one to
 * scrap. A number that is too high is reported, not changed.
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
  type: "in" | "out" | "scrap";
  /** The pieces that are here. `most` is larger if pieces of earlier processes may enter too. */
  whole: number;
  most: number;
  /** The number until a key is pressed: `whole`, or 1 to scrap. */
  start: number;
  /** The typed digits; null means `start`. */
  typed: string | null;
  onType: (typed: string | null) => void;
}

export function Amount({ type, whole, most, start, typed, onType }: Props) {
  const { t } = useTranslation("station");
  /** The number is a share of the pieces, so the next digit starts a new one. */
  const [isShare, setIsShare] = useState(false);
  const quantity = typed === null ? start : Number(typed);
  const part = (of: number) => Math.max(1, Math.round(whole * of));
  const problem =
    quantity > most
      ? t(type === "in" ? "amount.onlyIn" : "amount.onlyOut", { count: most })
      : quantity < 1
        ? t("amount.missing")
        : null;

  const onShare = (next: string | null) => {
    setIsShare(true);
    onType(next);
  };
  const onDigits = (next: string) => {
    setIsShare(false);
    onType(next);
  };
  const press = (digit: string) =>
    onDigits(`${isShare ? "" : (typed ?? "")}${digit}`.replace(/^0+/, "").slice(0, LONGEST));

  const key = (label: string, onClick: () => void, name = label) => (
    <Button key={label} className="ob-pad__key" aria-label={name} onClick={onClick}>
      {label}
    </Button>
  );

  const parts = [
    key(`${t("amount.quarter")} · ${part(0.25)}`, () => onShare(String(part(0.25)))),
    key(`${t("amount.half")} · ${part(0.5)}`, () => onShare(String(part(0.5)))),
    key(t("amount.all"), () => onShare(start === whole ? null : String(whole))),
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
        <strong>{typed ?? start}</strong>{" "}
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
