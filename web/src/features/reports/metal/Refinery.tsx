/** Compare what came back from the refinery with what was booked, for the share of each process. */
import { useTranslation } from "react-i18next";
import { formatDay } from "@/shared/format/plant";
import { useAnswer } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { Grams } from "@/shared/ui/Facts";
import type { Period } from "../periods";
import { MetalPart } from "./MetalPart";

const PATH = "/api/reports/metal-refinery";
const SUMS = ["expectedFineGrams", "returnedFineGrams", "differenceFineGrams"] as const;

export function Refinery({ period }: { period: Period }) {
  const { t } = useTranslation(["reports", "metal"]);
  const { data, error, mutate } = useAnswer(PATH, { query: period }, { keepPreviousData: true });
  return (
    <MetalPart
      title={t("metalReport.refinery.title")}
      note={t("metalReport.refinery.note")}
      empty={t("metalReport.refinery.empty")}
      file={{ name: "metal-refinery", ask: (format) => listAsFile(PATH, period, format) }}
      total={data?.rows.length}
      error={error}
      onRetry={() => void mutate()}
      texts={[t("column.refinery"), t("column.sent"), t("column.process"), t("column.alloy")]}
      figures={[
        t("column.sentGrams"),
        t("column.expectedFine"),
        t("column.returnedFine"),
        t("column.missingFine"),
      ]}
      foot={
        data !== undefined && (
          <>
            <td aria-hidden />
            {SUMS.map((name) => (
              <td key={name}>
                <Grams grams={data[name]} />
              </td>
            ))}
          </>
        )
      }
    >
      {data?.rows.map((row) => (
        <tr key={`${row.refiningId} ${row.productionProcessId}`}>
          <th scope="row">{row.partner}</th>
          <td className="ob-metal-report__text">{formatDay(row.sentAt)}</td>
          <td className="ob-metal-report__text">
            {row.productionProcessName ?? t("metal:kind.scrap")}
          </td>
          <td className="ob-metal-report__text">{row.alloyName}</td>
          <td>
            <Grams grams={row.sentGrams} />
          </td>
          {SUMS.map((name) => (
            <td key={name}>
              <Grams grams={row[name]} />
            </td>
          ))}
        </tr>
      ))}
    </MetalPart>
  );
}
