/** The bell, and the line that one of its notifications is about; one such line at a time. */
import { useState } from "react";
import { NotificationBell, type OpenedLine } from "@/features/notifications/NotificationBell";
import { lazyPart } from "@/shared/ui/lazyPart";

const LineModal = lazyPart(() => import("@/features/orders/line/LineModal"));

export function Notifications() {
  const [line, setLine] = useState<OpenedLine | null>(null);
  return (
    <>
      <NotificationBell onOpenLine={setLine} />
      {line !== null && (
        <LineModal
          salesOrderId={line.salesOrderId}
          position={line.position}
          onClose={() => setLine(null)}
        />
      )}
    </>
  );
}
