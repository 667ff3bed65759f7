/**
 * My notices: what the user is told while they are away from the product, on which channels, and at
 * which hours not.
 */
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import { useIsCustomer } from "@/shared/session/session";
import { PageTitle } from "@/shared/ui/PageTitle";
import { PageState } from "@/shared/ui/states";
import { Devices } from "./Devices";
import { KindTable } from "./KindTable";
import { usePreferences } from "./notices.api";
import { Digest, QuietHours } from "./Times";
import "./notices.css";

export default function NoticesPage() {
  // Customers' accounts have no notices: their page shows their orders.
  return useIsCustomer() ? <Navigate to="/home" replace /> : <Notices />;
}

function Notices() {
  const { t } = useTranslation("notices");
  const { data, error, mutate } = usePreferences();
  if (data === undefined) return <PageState error={error} onRetry={() => void mutate()} />;
  return (
    <div className="ob-page ob-notices">
      <PageTitle title={t("title")} note={t("note")} />
      <KindTable preferences={data} />
      <Devices publicKey={data.publicKey} />
      <QuietHours preferences={data} />
      <Digest preferences={data} />
    </div>
  );
}
