/**
 * The metal that can be recovered now: the dust of each process, the scrap box, and what is at the
 * refinery.
 */
import { useTranslation } from "react-i18next";
import { useAnswer } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { Grams } from "@/shared/ui/Facts";
import { MetalPart } from "./MetalPart";

const PATH = "/api/reports/metal-to-recover";

export function ToRecover() {
  const { t } = useTranslation(["reports", "metal"]);
  const { data, error, mutate } = useAnswer(PATH);
  return (
    <MetalPart
      title={t("metalReport.recover.title")}
      note={t("metalReport.recover.note")}
      empty={t("metalReport.recover.empty")}
      file={{ name: "metal-to-recover", ask: (format) => listAsFile(PATH, {}, format) }}
      total={data?.rows.length}
      error={error}
      onRetry={() => void mutate()}
      texts={[t("column.where"), t("column.process"), t("column.alloy")]}
      figures={[t("column.grams"), t("column.fine")]}
      foot={
        data !== undefined && (
          <>
            <td aria-hidden />
            <td>
              <Grams grams={data.fineGrams} />
            </td>
          </>
        )
      }
    >
      {data?.rows.map((row) => (
        <tr key={`${row.kind} ${row.productionProcessId} ${row.alloyId}`}>
          <th scope="row">{t(`metal:kind.${row.kind}`)}</th>
          <td className="ob-metal-report__text">{row.productionProcessName ?? t("none")}</td>
          <td className="ob-metal-report__text">{row.alloyName}</td>
          <td>
            <Grams grams={row.grams} />
          </td>
          <td>
            <Grams grams={row.fineGrams} />
          </td>
        </tr>
      ))}
    </MetalPart>
  );
}
