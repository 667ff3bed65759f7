/**
 * Choose the tariff item of a product. The server searches by code and description; the value is
 * the code.
 */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ExportTaxItem, Option } from "@/contract";
import { Select } from "@/shared/form/Select";
import { usePaused } from "@/shared/hooks/browser";
import { useAnswer } from "@/shared/http/data";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";

const OFFERED = 30;

interface Choice {
  code: string;
  text: string;
}

/**
 * Load tariff items. Users who may not list the tariff get the reduced list, which all users may
 * read.
 */
function useTariff(search: string) {
  const whole = useMay("ListExportTax");
  const language = useLanguage();
  const query = {
    limit: OFFERED,
    ...(whole ? {} : { fields: "options" as const }),
    ...(search === "" ? {} : { search }),
  };
  const { data, isLoading } = useAnswer<"/api/export-tax-items", (ExportTaxItem | Option)[]>(
    "/api/export-tax-items",
    { query },
    { quiet: true, keepPreviousData: true },
  );
  const choices = data?.map((row): Choice => {
    if (!("code" in row)) return { code: row.name, text: "" };
    const [first, second] =
      language === "es"
        ? [row.spanishDescription, row.englishDescription]
        : [row.englishDescription, row.spanishDescription];
    return { code: row.code, text: first || second };
  });
  return { choices: choices ?? [], isLoading };
}

function drawChoice({ data }: { data: { value: string; text: string } }) {
  return (
    <span className="ob-two-rows">
      <strong>{data.value}</strong> <span>{data.text}</span>
    </span>
  );
}

interface Props {
  id?: string;
  value?: string;
  onChange?: (code: string) => void;
  disabled?: boolean;
}

export function TariffSelect({ value, onChange, ...rest }: Props) {
  const { t } = useTranslation(["catalogs", "forms"]);
  const [search, setSearch] = useState("");
  const asked = usePaused(search.trim());
  const { choices, isLoading } = useTariff(asked);
  const isAnswered = asked === search.trim() && !isLoading;
  const options = choices.map(({ code, text }) => ({ value: code, label: code, text }));
  if (value && search === "" && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: value, text: "" });
  }
  return (
    <Select
      {...rest}
      allowClear
      loading={isLoading}
      placeholder={t("form.searchTariff")}
      showSearch={{ searchValue: search, onSearch: setSearch, isAnswered }}
      value={value ? value : null}
      options={options}
      optionRender={drawChoice}
      notFoundContent={isAnswered ? t("forms:nothing.export-tax-items") : "…"}
      onChange={(code: string | null | undefined) => {
        setSearch("");
        onChange?.(code ?? "");
      }}
    />
  );
}
