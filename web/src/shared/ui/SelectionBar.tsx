/** The bar below a list with the number of selected rows and their actions. It sticks to the window's lower edge. */
import Button from "antd/es/button";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { MOST_CHOSEN, type Selection } from "@/shared/hooks/useSelection";
import { useLanguage } from "@/shared/i18n";
import { toastError } from "./errors";
import "./SelectionBar.css";

interface Props<T> {
  /** The name of the selection, for screen readers. */
  label: string;
  selection: Pick<
    Selection<T>,
    | "rows"
    | "matching"
    | "outside"
    | "total"
    | "exact"
    | "capped"
    | "chooseAll"
    | "dropOutside"
    | "clear"
  >;
  /** The grammatical gender of the rows: "25 de 69 líneas seleccionadas". */
  gender: "male" | "female";
  /** The total of the selected rows. */
  sum?: ReactNode;
  children: ReactNode;
}

/** Shown only while rows are selected. */
export function SelectionBar<T>({ label, selection, gender: context, sum, children }: Props<T>) {
  const { t } = useTranslation("shared");
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const { rows, matching, outside, total, exact, capped, chooseAll } = selection;
  if (rows.length === 0) return null;
  const number = (value: number) => formatNumber(value, language);

  async function onAll() {
    setBusy(true);
    try {
      await chooseAll?.();
    } catch (reason) {
      toastError(reason);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="ob-selection" role="region" aria-label={label}>
      <span className="ob-first ob-strong ob-selection__said" role="status">
        {t(exact ? "selection.of" : "selection.ofMore", {
          context,
          chosen: number(matching),
          total: number(total),
        })}
        {sum !== undefined && <> · {sum}</>}
        {outside > 0 && (
          <span className="ob-selection__outside">
            {t("selection.outside", { context, count: outside })}
          </span>
        )}
        {capped && (
          <span className="ob-selection__outside">
            {t("selection.capped", { context, most: number(MOST_CHOSEN) })}
          </span>
        )}
      </span>
      {chooseAll !== undefined && (
        <Button loading={busy} onClick={() => void onAll()}>
          {exact && total <= MOST_CHOSEN
            ? t("selection.all", { context, total: number(total) })
            : t("selection.first", { context, most: number(MOST_CHOSEN) })}
        </Button>
      )}
      {outside > 0 && (
        <Button onClick={selection.dropOutside}>{t("selection.drop", { context })}</Button>
      )}
      {children}
      <Button type="text" onClick={selection.clear}>
        {t("selection.clear")}
      </Button>
    </div>
  );
}
