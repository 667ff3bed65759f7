import type { LineRow } from "@/contract";
import { useLanguage } from "@/shared/i18n";
import { useIsCustomer } from "@/shared/session/session";

/**
 * Return a function that names a line's product. Customers who read English get its English
 * description, if it has one.
 */
export function useItemName(): (
  line: Pick<LineRow, "itemName"> & { itemNameEnglish?: string },
) => string {
  const isEnglish = useLanguage() === "en";
  const isCustomer = useIsCustomer();
  return ({ itemName, itemNameEnglish = "" }) =>
    isCustomer && isEnglish && itemNameEnglish !== "" ? itemNameEnglish : itemName;
}
