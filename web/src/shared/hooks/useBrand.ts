/** The name and mark above the pages: for customers those of the workshop, for everybody else those of the product. */
import { useTranslation } from "react-i18next";
import { useAnswer } from "@/shared/http/data";
import { WORKSHOP } from "@/shared/http/keys";
import { useIsCustomer } from "@/shared/session/session";

export interface Brand {
  name: string;
  /** The address of its mark; null if it has none. */
  logo: string | null;
}

/** Undefined while the workshop's name is not known yet. */
export function useBrand(): Brand | undefined {
  const { t } = useTranslation("shared");
  const isCustomer = useIsCustomer();
  const { data, error } = useAnswer(WORKSHOP, isCustomer ? {} : null, { quiet: true });
  if (isCustomer && data === undefined && error === undefined) return undefined;
  if (data !== undefined && data.name !== "") return data;
  return { name: t("product"), logo: isCustomer ? null : "./favicon.svg" };
}

/** The title of the browser's tab for a page or a record of this name. */
export function useTabTitle(name: string): string {
  const brand = useBrand();
  return brand === undefined ? name : `${name} · ${brand.name}`;
}
