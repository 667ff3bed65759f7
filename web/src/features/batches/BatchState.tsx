/** The state of a batch as a chip. */
import { useTranslation } from "react-i18next";
import type { Batch } from "@/contract";
import "@/shared/ui/ui.css";

const LOOKS = { open: "primary", inside: "working", out: "good", closed: "plain" } as const;

export function BatchState({ state }: Pick<Batch, "state">) {
  const { t } = useTranslation("batches");
  return <span className={`ob-chip ob-chip--${LOOKS[state]}`}>{t(`state.${state}`)}</span>;
}
