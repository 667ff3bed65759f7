/** The bell, and the line that one of its notifications is about; one such line at a time. */
import { lazy, Suspense, useState } from "react";
import { NotificationBell, type OpenedLine } from "@/features/notifications/NotificationBell";

const LineModal = lazy(() => import("@/features/orders/line/LineModal"));

export function Notifications() {
  const [line, setLine] = useState<OpenedLine | null>(null);
  return (
    <>
      <NotificationBell onOpenLine={setLine} />
      {line !== null && (
        <Suspense fallback={null}>
          <LineModal
            salesOrderId={line.salesOrderId}
            position={line.position}
            onClose={() => setLine(null)}
          />
        </Suspense>
      )}
    </>
  );
}
