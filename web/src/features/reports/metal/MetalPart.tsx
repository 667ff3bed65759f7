/** One part of the metal reports: its table or the reason why there is none, and its export. */
import Skeleton from "antd/es/skeleton";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/shared/http/ApiError";
import { ExportButton, type ListFile } from "@/shared/ui/ExportButton";
import { EmptyState, LoadFailed } from "@/shared/ui/states";

interface Props {
  title: string;
  note: string;
  empty: string;
  file: ListFile;
  /** The number of rows; undefined until the first answer. */
  total: number | undefined;
  error: ApiError | undefined;
  onRetry: () => void;
  /** Heads of the columns of texts, then of those of figures. */
  texts: readonly string[];
  figures: readonly string[];
  /** The sums below the figures. */
  foot: ReactNode;
  /** The rows. */
  children: ReactNode;
}

export function MetalPart(props: Props) {
  const { title, note, empty, file, total, error, onRetry, texts, figures, foot, children } = props;
  const { t } = useTranslation("reports");
  const id = useId();
  return (
    <section className="ob-surface ob-stack ob-padded" aria-labelledby={id}>
      <div className="ob-row ob-apart">
        <div>
          <h2 id={id}>{title}</h2>
          <p className="ob-quiet">{note}</p>
        </div>
        <ExportButton {...file} total={total} />
      </div>
      {total === undefined && error !== undefined && <LoadFailed error={error} onRetry={onRetry} />}
      {total === undefined && error === undefined && (
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      )}
      {total === 0 && <EmptyState drawing="scale" title={empty} />}
      {total !== undefined && total > 0 && (
        // Make it focusable, because arrow keys scroll the focused element.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on a phone
        <div className="ob-metal-report" tabIndex={0}>
          <table className="ob-plain-table ob-figures">
            <thead>
              <tr>
                {texts.map((head) => (
                  <th key={head} className="ob-metal-report__text" scope="col">
                    {head}
                  </th>
                ))}
                {figures.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={texts.length}>
                  {t("metalReport.fineSum")}
                </th>
                {foot}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </section>
  );
}
