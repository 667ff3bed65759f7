/** Somebody else billed or canceled the pre-bill while this person was editing it. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Delivery } from "@/contract";
import { billPath } from "../paths";

export function ClosedNote({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("bills");
  const who = bill.canceledBy ?? bill.billedBy ?? "";
  return (
    <div className="ob-stale" role="alert">
      <p className="ob-stale__title">
        {t(bill.status === "Canceled" ? "form.wasCanceled" : "form.wasBilled", { who })}
      </p>
      <Link to={billPath(bill.id)}>{t("form.seeIt")}</Link>
    </div>
  );
}
