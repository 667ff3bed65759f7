/** What pieces are weighed with: the tray under them, and the alloy of the metal that was added. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useWholeOptions } from "@/shared/form/OptionsSelect";
import { Select } from "@/shared/form/Select";
import { formatGrams } from "@/shared/format/numbers";
import type { Typed } from "@/shared/format/typedNumber";
import { useAnswer } from "@/shared/http/data";
import { RESOURCES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import type { Tray } from "./weights";

const MOST = 200;

/** Load the trays of the workshop that are in use. */
export function useTrays(): readonly Tray[] {
  const query = { status: true, limit: MOST };
  const { data } = useAnswer(RESOURCES["metal/trays"], { query }, { quiet: true });
  return (data ?? []).filter((row): row is Tray & typeof row => "grams" in row);
}

interface TrayProps {
  /** The typed weight, with the tray. */
  grams: Typed;
  value: Tray | null;
  onChange: (tray: Tray | null) => void;
}

/** Choose the tray. Nothing is shown in a workshop without trays. */
export function TraySelect({ grams, value, onChange }: TrayProps) {
  const { t } = useTranslation("weight");
  const language = useLanguage();
  const id = useId();
  const trays = useTrays();
  if (trays.length === 0 && value === null) return null;
  const net = value !== null && typeof grams === "number" ? grams - value.grams : null;
  return (
    <div className="ob-stack ob-stack--tight">
      <label className="ob-quiet" htmlFor={id}>
        {t("tray")}
      </label>
      <Select
        id={id}
        size="large"
        allowClear
        showSearch
        placeholder={t("noTray")}
        value={value?.id}
        options={trays.map(({ id: tray, code, grams: weight }) => ({
          value: tray,
          label: `${code} · ${formatGrams(weight, language)}`,
        }))}
        onChange={(chosen?: number) => onChange(trays.find((tray) => tray.id === chosen) ?? null)}
      />
      {net !== null && net > 0 && (
        <span role="status">{t("net", { grams: formatGrams(net, language) })}</span>
      )}
    </div>
  );
}

interface AlloyProps {
  value: number | null;
  onChange: (alloyId: number | null) => void;
}

/** Choose the alloy of added metal. Without a choice it is the product's. */
export function AddedAlloy({ value, onChange }: AlloyProps) {
  const { t } = useTranslation(["weight", "forms"]);
  const alloys = useWholeOptions("alloys");
  return (
    <Select
      aria-label={t("addedAlloy")}
      size="large"
      allowClear
      showSearch
      placeholder={t("addedAlloyOfProduct")}
      value={value ?? undefined}
      options={alloys.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(chosen?: number) => onChange(chosen ?? null)}
      notFoundContent={<span className="ob-quiet">{t("forms:nothing.alloys")}</span>}
    />
  );
}
