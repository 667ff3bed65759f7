/** The open call of a line: what it is and since when. A stop is red, others are amber. */
import { useTranslation } from "react-i18next";
import { sayMoment } from "@/shared/format/days";
import { useLanguage } from "@/shared/i18n";
import { Chip } from "@/shared/ui/Chip";
import type { Call } from "./talk.api";

interface Props {
  call: Pick<Call, "kind" | "at">;
  /** Not sent yet. */
  pending?: boolean;
}

export function CallChip({ call: { kind, at }, pending = false }: Props) {
  const { t } = useTranslation("talk");
  const language = useLanguage();
  const said = { kind: t(`kind.${kind}`), time: sayMoment(at, language) };
  return (
    <Chip tone={kind === "stop" ? "bad" : "warning"}>{t(pending ? "pending" : "since", said)}</Chip>
  );
}
