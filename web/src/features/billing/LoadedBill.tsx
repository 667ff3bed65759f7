/** Load a bill for a page, and tell the user what others change in it. */
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Delivery } from "@/contract";
import { useLiveEvents } from "@/live/LiveProvider";
import { useSignedIn } from "@/shared/session/session";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useBill } from "./billing.api";
import { BILLS } from "./paths";
import "@/shared/form/page.css";

interface Props {
  billId: number;
  children: (bill: Delivery) => ReactNode;
}

export function LoadedBill({ billId, children }: Props) {
  const { t } = useTranslation("billing");
  const navigate = useNavigate();
  const { data: bill, error, mutate } = useBill(billId);
  if (bill !== undefined) return children(bill);
  if (error?.status === 404 || error?.status === 422) {
    return (
      <div className="ob-surface">
        <EmptyState
          drawing="gone"
          title={t("bill.missing")}
          action={<Button onClick={() => void navigate(BILLS)}>{t("bill.backToList")}</Button>}
        />
      </div>
    );
  }
  if (error !== undefined) return <LoadFailed error={error} onRetry={() => void mutate()} />;
  return (
    <div className="ob-surface ob-section" aria-busy="true">
      <Skeleton active paragraph={{ rows: 10 }} />
    </div>
  );
}

/** Show a toast when another user changes the bill on screen. Its data reloads separately. */
export function useBillNews(bill: Delivery): void {
  const { t } = useTranslation("billing");
  const me = useSignedIn().user.id;
  const status = useRef<string>(bill.status);
  useLiveEvents(({ type, by, data }) => {
    if (type !== "delivery.changed" || data.id !== bill.id) return;
    // A bill that was already issued cannot be issued again: its numbers or boxes changed.
    const changed = data.status === "Billed" && status.current === "Billed";
    status.current = data.status;
    if (by === null || by.id === me) return;
    const news = changed ? "changed" : (data.status as Delivery["status"]);
    toast.note(t(`news.${news}`, { who: by.fullName }));
  });
}
