/** The tariff item of a product, searched on the server by code and description; its value is the code. */
import Select from "antd/es/select";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import useSWR from "swr";
import type { ExportTaxItem } from "@/contract";
import { usePaused } from "@/shared/hooks/usePaused";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { useLanguage } from "@/shared/i18n";
import { keys } from "@/shared/keys";
import { useMay } from "@/shared/session/session";
import { useClear } from "@/shared/ui/useClear";

const OFFERED = 30;

interface Choice {
  code: string;
  text: string;
}

/** Who may not list the tariff still chooses by code: the reduced list is open to everybody. */
function useTariff(search: string) {
  const whole = useMay("ListExportTax");
  const language = useLanguage();
  const query = {
    limit: OFFERED,
    ...(whole ? {} : { fields: "options" as const }),
    ...(search === "" ? {} : { search }),
  };
  const { data, isLoading } = useSWR<unknown[], ApiError>(
    keys.list("export-tax-items", query),
    () => call(api.GET("/api/export-tax-items", { params: { query }, headers: QUIET })),
    { keepPreviousData: true },
  );
  const choices = data?.map((row): Choice => {
    if (!whole) return { code: (row as { name: string }).name, text: "" };
    const item = row as ExportTaxItem;
    const [first, second] =
      language === "es"
        ? [item.spanishDescription, item.englishDescription]
        : [item.englishDescription, item.spanishDescription];
    return { code: item.code, text: first || second };
  });
  return { choices: choices ?? [], isLoading };
}

function drawChoice({ data }: { data: { value: string; text: string } }) {
  return (
    <span className="ob-tariff">
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
  const clear = useClear();
  const [search, setSearch] = useState("");
  const { choices, isLoading } = useTariff(usePaused(search.trim()));
  const options = choices.map(({ code, text }) => ({ value: code, label: code, text }));
  if (value && search === "" && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: value, text: "" });
  }
  return (
    <Select
      {...rest}
      allowClear={clear}
      loading={isLoading}
      placeholder={t("form.searchTariff")}
      showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
      value={value ? value : null}
      options={options}
      optionRender={drawChoice}
      notFoundContent={isLoading ? "…" : t("forms:nothing.export-tax-items")}
      onChange={(code: string | null | undefined) => {
        setSearch("");
        onChange?.(code ?? "");
      }}
    />
  );
}
