/** One thing that a customs paper lacks. A click opens the record in which it is mended. */
import { useTranslation } from "react-i18next";
import type { CustomsGap as Gap } from "@/contract";
import { GapLink, useOpenGap } from "@/shared/form/gap";

const CATALOGS = { product: "items", company: "companies", customer: "customers" } as const;

interface Props {
  gap: Gap;
  /** Opens the form of the bill's terms and boxes. */
  onBill?: (() => void) | undefined;
}

export function CustomsGap({ gap, onBill }: Props) {
  const { t } = useTranslation("billing");
  const onOpen = useOpenGap({
    catalog: gap.at === "bill" ? "items" : CATALOGS[gap.at],
    id: gap.id,
    customs: true,
  });
  return (
    <GapLink onOpen={gap.at === "bill" ? onBill : onOpen}>
      {t(`gap.${gap.code as "criterion_missing"}`, { name: gap.name })}
    </GapLink>
  );
}
