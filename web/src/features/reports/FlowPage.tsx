/**
 * Show how pieces flow: time inside and time waited before, by day, for two periods side by side.
 */
import { useTranslation } from "react-i18next";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { useMay } from "@/shared/session/session";
import { PageTitle } from "@/shared/ui/PageTitle";
import { topOf } from "./durations";
import { FlowPeriod } from "./flow/FlowPeriod";
import { Ranking } from "./flow/Ranking";
import { before, daysUpTo, periodOf, type Period } from "./periods";
import { useFlow, type Whose } from "./reports.api";
import "./reports.css";
import "./flow/flow.css";

const USUAL_DAYS = 30;
const WHOSE = [
  ["productionProcessId", "production-processes", "column.process", "flow.anyProcess"],
  ["itemId", "items", "column.item", "flow.anyItem"],
  ["customerId", "customers", "column.customer", "flow.anyCustomer"],
] as const;

export default function FlowPage() {
  const { t } = useTranslation("reports");
  const ranks = useMay("Dashboard");
  const [address, change] = useAddress();
  const period = periodOf(address.get("from"), address.get("to"), daysUpTo(today(), USUAL_DAYS));
  const other = periodOf(address.get("from2"), address.get("to2"), before(period));
  const whose: Whose = {};
  for (const [name] of WHOSE) {
    const id = Number(address.get(name));
    if (Number.isInteger(id) && id > 0) whose[name] = id;
  }
  const flows = [useFlow(period, whose), useFlow(other, whose)] as const;
  const measured = flows.flatMap(({ data }) => data?.days ?? []);
  // One scale for both periods, because they are compared.
  const tops = {
    inside: topOf(measured.map(({ inside }) => inside.p90 ?? 0)),
    waited: topOf(measured.map(({ waited }) => waited.p90 ?? 0)),
  };
  const set = (suffix: "" | "2", { from, to }: Period) =>
    change((next) => {
      next.set(`from${suffix}`, from);
      next.set(`to${suffix}`, to);
    });

  return (
    <div className="ob-page">
      <PageTitle title={t("flow.title")} note={t("flow.note")} />
      <div className="ob-row" role="search" aria-label={t("flow.whose")}>
        {WHOSE.map(([name, catalog, label, placeholder]) => (
          <OptionSelect
            key={name}
            className="ob-flow__one"
            catalog={catalog}
            allowClear
            label={t(label)}
            placeholder={t(placeholder)}
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
      {ranks && (
        <Ranking
          period={period}
          onPick={(id) => change((next) => next.set("productionProcessId", String(id)))}
        />
      )}
      <div className="ob-halves">
        <FlowPeriod
          name={t("flow.period")}
          period={period}
          whose={whose}
          flow={flows[0]}
          tops={tops}
          onPeriod={(days) => set("", days)}
        />
        <FlowPeriod
          name={t("flow.comparedWith")}
          period={other}
          whose={whose}
          flow={flows[1]}
          tops={tops}
          onPeriod={(days) => set("2", days)}
        />
      </div>
    </div>
  );
}
