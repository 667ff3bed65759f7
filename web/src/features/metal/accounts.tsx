/** How accounts and what they hold are shown. */
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Grams } from "@/shared/ui/Facts";
import type { AccountKind, AccountReference, Total } from "./metal.api";

/** The kinds of accounts, in the order in which metal goes through the workshop. */
export const KINDS: readonly AccountKind[] = [
  "vault",
  "person",
  "line",
  "batch",
  "outside",
  "scrap",
  "dust",
  "bath",
  "refinery",
  "finished",
  "shipped",
  "lost",
  "supplier",
];

/** Return a function that names an account in the user's language. */
export function useAccountName(): (account: AccountReference) => string {
  const { t } = useTranslation("metal");
  return useCallback(
    (account: AccountReference) => {
      const { kind, name, userName, productionProcessName, position, batchId } = account;
      switch (kind) {
        case "person":
          return `${userName} · ${productionProcessName}`;
        case "line":
          return `${name} · ${position}`;
        case "dust":
        case "bath":
          return `${t(`kind.${kind}`)} · ${productionProcessName}`;
        case "batch":
          return `${t("kind.batch")} ${name || batchId}`;
        default:
          return name || t(`kind.${kind}`);
      }
    },
    [t],
  );
}

/** The balance of each alloy: its grams, and the fine metal in them. */
export function Balances({ balances }: Pick<Total, "balances">) {
  const { t } = useTranslation("metal");
  if (balances.length === 0) return <span className="ob-quiet">{t("empty.account")}</span>;
  return (
    <ul className="ob-metal-balances">
      {balances.map(({ alloyId, alloyName, grams, fineGrams }) => (
        <li key={alloyId}>
          <span className="ob-breaks">{alloyName}</span>
          <strong>
            <Grams grams={grams} />
          </strong>
          <span className="ob-quiet ob-small">
            {t("fine")} <Grams grams={fineGrams} />
          </span>
        </li>
      ))}
    </ul>
  );
}
