/**
 * The reports of metal: loss against the allowance, what is to recover, and the refinery against the books.
 * None of them is by person. See infra/docs/rules.md#metal-reports.
 */
import PrinterOutlined from "@ant-design/icons/es/icons/PrinterOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { PageTitle } from "@/shared/ui/PageTitle";
import { Losses } from "./metal/Losses";
import { Refinery } from "./metal/Refinery";
import { ToRecover } from "./metal/ToRecover";
import { PeriodFields } from "./PeriodFields";
import { daysUpTo, periodOf } from "./periods";
import "./reports.css";
import "./metal/metal.css";

const USUAL_DAYS = 30;
const WHOSE = [
  ["productionProcessId", "production-processes", "column.process"],
  ["itemId", "items", "column.item"],
  ["alloyId", "alloys", "column.alloy"],
] as const;

export default function MetalReportPage() {
  const { t } = useTranslation("reports");
  const [address, change] = useAddress();
  const period = periodOf(address.get("from"), address.get("to"), daysUpTo(today(), USUAL_DAYS));
  const whose: Partial<Record<(typeof WHOSE)[number][0], number>> = {};
  for (const [name] of WHOSE) {
    const id = Number(address.get(name));
    if (Number.isInteger(id) && id > 0) whose[name] = id;
  }
  return (
    <div className="ob-page">
      <PageTitle
        title={t("metalReport.title")}
        note={t("metalReport.note")}
        actions={
          <Button icon={<PrinterOutlined aria-hidden />} onClick={() => window.print()}>
            {t("salesOrdersReport.print")}
          </Button>
        }
      />
      <div
        className="ob-row ob-metal-report__filters"
        role="search"
        aria-label={t("metalReport.whose")}
      >
        <PeriodFields
          label={t("period.label")}
          period={period}
          onChange={(days) =>
            change((next) => {
              for (const [name, day] of Object.entries({ ...period, ...days })) next.set(name, day);
            })
          }
        />
        {WHOSE.map(([name, catalog, label]) => (
          <OptionSelect
            key={name}
            className="ob-filter"
            catalog={catalog}
            allowClear
            label={t(label)}
            placeholder={t(label)}
            value={whose[name] ?? null}
            onChange={(option) =>
              change((next) => {
                if (option === null) next.delete(name);
                else next.set(name, String(option.id));
              })
            }
          />
        ))}
      </div>
      <Losses query={{ ...period, ...whose }} />
      <ToRecover />
      <Refinery period={period} />
    </div>
  );
}
