/** The electronic invoice of a bill: what it lacks, its XML, its seal and its stamp. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Cfdi, Delivery } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { Fact } from "@/shared/ui/Facts";
import { useCfdi } from "../billing.api";
import { Gaps } from "../Missing";
import { CustomsGap } from "./CustomsGap";
import { PaperActions } from "./PaperActions";

interface Props {
  bill: Delivery;
  /** Opens the form of the bill's terms and boxes. */
  onEdit: (() => void) | undefined;
}

export function CfdiPart({ bill, onEdit }: Props) {
  const { t } = useTranslation("billing");
  const { data: cfdi, error, mutate } = useCfdi(bill.id);
  if (cfdi === undefined) {
    return error === undefined ? null : (
      <Fact name={t("cfdi.title")} wide>
        <Button size="small" onClick={() => void mutate()}>
          {t("cfdi.checkAgain")}
        </Button>
      </Fact>
    );
  }
  const { state, gaps } = cfdi;
  return (
    <>
      <Fact name={t("cfdi.title")} wide>
        <span className="ob-words">
          <span>{stateText(cfdi, t)}</span>
          {gaps.length === 0 && (
            <PaperActions
              paper={{ billId: bill.id }}
              state={state}
              csd={cfdi.csd}
              pac={cfdi.pac}
              isCanceling={cfdi.canceling}
              onDone={(now) => void (now === null ? mutate() : mutate(now, { revalidate: false }))}
            />
          )}
        </span>
      </Fact>
      {state === null && (
        <Gaps label={t("cfdi.missing")}>
          {gaps.map((gap) => (
            <CustomsGap key={`${gap.code} ${gap.at} ${gap.id}`} gap={gap} onBill={onEdit} />
          ))}
        </Gaps>
      )}
    </>
  );
}

type Words = ReturnType<typeof useTranslation<"billing">>["t"];

function stateText({ state, gaps, sealedAt, uuid, csd, sent, canceling }: Cfdi, t: Words): string {
  if (canceling) return t("cfdi.canceling", { uuid });
  if (sent) return t("cfdi.sent");
  if (state === "stamped") return t("cfdi.stamped", { uuid });
  if (state === "sealed") return t("cfdi.sealed", { at: formatInstant(sealedAt ?? "") });
  if (gaps.length > 0) return t("cfdi.incomplete");
  return csd ? t("cfdi.ready") : t("cfdi.readyElsewhere");
}
