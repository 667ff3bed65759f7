/** Says what somebody else just did to the bill on screen; its data follows by itself. */
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { useLiveEvents } from "@/live/LiveProvider";
import { useSignedIn } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";

export function useBillNews(bill: Delivery): void {
  const { t } = useTranslation("bills");
  const me = useSignedIn().user.id;
  useLiveEvents(({ type, by, data }) => {
    if (type !== "delivery.changed" || data.id !== bill.id || by === null || by.id === me) return;
    toast.note(t(`news.${data.status as Delivery["status"]}`, { who: by.fullName }));
  });
}
