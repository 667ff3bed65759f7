/** Show what the bill certifies about the origin of its goods, and what the goods pay that it does not certify. */
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery, Origin } from "@/contract";
import { formatMoney, formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { Fact } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { usePdf } from "@/shared/ui/usePdf";
import { fetchCertificate } from "../billing.api";
import { Gaps } from "../Missing";
import { CustomsGap } from "./CustomsGap";

const CertificateDrawer = lazyPart(() => import("./CertificateDrawer"));

export function OriginPart({ bill, origin }: { bill: Delivery; origin: Origin }) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  const [making, setMaking] = useState(false);
  const { certified, lines, dutyPercent, duty, certificate } = origin;
  if (!origin.treaty) return null;
  return (
    <>
      <Fact name={t("origin.title")} wide>
        {t("origin.certified", { certified, total: lines })}
        {certified < lines && (
          <p className="ob-doubtful" role="note">
            {dutyPercent !== null && duty !== null
              ? t("origin.costs", {
                  percent: formatNumber(dutyPercent, language),
                  duty: formatMoney(duty, bill.currency, language),
                })
              : t("origin.costsDuty")}
          </p>
        )}
      </Fact>
      <Fact name={t("origin.period")} wide>
        <span className="ob-words">
          {certificate === null ? (
            <span>{t("origin.noPeriod")}</span>
          ) : (
            <CertificateButton certificate={certificate} />
          )}
          <Button size="small" onClick={() => setMaking(true)}>
            {t("origin.certify")}
          </Button>
        </span>
      </Fact>
      <Gaps label={t("origin.missing")}>
        {origin.gaps
          // The papers above name it already.
          .filter(({ code }) => code !== "tariff_missing")
          .map((gap) => (
            <CustomsGap key={`${gap.code} ${gap.at} ${gap.id}`} gap={gap} />
          ))}
      </Gaps>
      {making && <CertificateDrawer bill={bill} onClose={() => setMaking(false)} />}
    </>
  );
}

function CertificateButton({ certificate }: { certificate: NonNullable<Origin["certificate"]> }) {
  const { t } = useTranslation("billing");
  const { id, begins, ends } = certificate;
  const pdf = usePdf(() => fetchCertificate(id));
  return (
    <Button
      size="small"
      icon={<FilePdfOutlined aria-hidden />}
      loading={pdf.busy}
      onClick={() => void pdf.show()}
    >
      {t("origin.covers", { begins, ends })}
    </Button>
  );
}
