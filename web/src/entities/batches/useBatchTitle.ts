/** The title of a batch: its number, and its name if it has one. */
import { useCallback } from "react";
import { useTranslation } from "react-i18next";

export function useBatchTitle(): (batch: { number: number; name: string }) => string {
  const { t } = useTranslation("batches");
  return useCallback(
    ({ number, name }) => (name === "" ? t("title", { number }) : t("named", { number, name })),
    [t],
  );
}
