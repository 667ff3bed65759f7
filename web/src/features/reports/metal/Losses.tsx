/** The losses by process, product and alloy, beside what the process allows. */
import { useTranslation } from "react-i18next";
import { formatNumber, formatPerMille } from "@/shared/format/numbers";
import { useAnswer } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import { Grams } from "@/shared/ui/Facts";
import type { Period } from "../periods";
import { MetalPart } from "./MetalPart";

const PATH = "/api/reports/metal-loss";

interface Props {
  query: Period & { productionProcessId?: number; itemId?: number; alloyId?: number };
}

export function Losses({ query }: Props) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const { data, error, mutate } = useAnswer(PATH, { query }, { keepPreviousData: true });
  const share = (value: number) => formatPerMille(value, language);
  return (
    <MetalPart
      title={t("metalReport.loss.title")}
      note={t("metalReport.loss.note")}
      empty={t("metalReport.loss.empty")}
      file={{ name: "metal-loss", ask: (format) => listAsFile(PATH, query, format) }}
      total={data?.rows.length}
      error={error}
      onRetry={() => void mutate()}
      texts={[t("column.process"), t("column.item"), t("column.alloy")]}
      figures={[
        t("column.pieces"),
        t("column.inGrams"),
        t("column.outGrams"),
        t("column.scrapGrams"),
        t("column.lossGrams"),
        t("column.fineLoss"),
        t("column.lossShare"),
        t("column.allowed"),
        t("column.between"),
      ]}
      foot={
        data !== undefined && (
          <>
            <td aria-hidden />
            <td>
              <Grams grams={data.total.fineGrams} />
            </td>
            <td colSpan={3} aria-hidden />
            <td>
              <Grams grams={data.total.fineLossGrams} />
            </td>
            <td>{share(data.total.lossPerMille)}</td>
            <td aria-hidden />
            <td>
              <Grams grams={data.total.fineBetweenGrams} />
            </td>
          </>
        )
      }
    >
      {data?.rows.map((row) => (
        <tr
          key={`${row.productionProcessId} ${row.itemId} ${row.alloyId}`}
          className={row.above ? "ob-metal-report__above" : ""}
        >
          <th scope="row">{row.productionProcessName}</th>
          <td className="ob-metal-report__text">{row.itemName}</td>
          <td className="ob-metal-report__text">{row.alloyName}</td>
          <td>{formatNumber(row.pieces, language)}</td>
          <td>
            <Grams grams={row.inGrams} />
            {row.addedGrams > 0 && (
              <small className="ob-quiet ob-metal-report__aside">
                + <Grams grams={row.addedGrams} />
              </small>
            )}
          </td>
          <td>
            <Grams grams={row.outGrams} />
          </td>
          <td>
            <Grams grams={row.scrapGrams} />
          </td>
          <td>
            <Grams grams={row.lossGrams} />
          </td>
          <td>
            <Grams grams={row.fineLossGrams} />
          </td>
          <td>
            <span className="ob-nowrap">{share(row.lossPerMille)}</span>
            {row.above && (
              <small className="ob-metal-report__aside">{t("metalReport.loss.above")}</small>
            )}
          </td>
          <td>{row.allowedLoss === null ? t("none") : share(row.allowedLoss)}</td>
          <td>
            <Grams grams={row.betweenGrams} />
          </td>
        </tr>
      ))}
    </MetalPart>
  );
}
