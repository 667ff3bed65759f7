/** The bell, and the line that one of its notifications is about. */
import { useNavigate } from "react-router";
import { NotificationBell } from "@/features/notifications/NotificationBell";

export function Notifications() {
  const navigate = useNavigate();
  return (
    <NotificationBell
      onOpenLine={({ salesOrderId, position }) =>
        void navigate(`/operations/sales-orders/${salesOrderId}/position/${position}`)
      }
    />
  );
}
