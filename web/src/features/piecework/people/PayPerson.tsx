/** Pay one person for some days: load what is left to pay and open the payment form. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import type { List } from "@/shared/http/data";
import { toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { basketOf } from "../basket";
import type { Paid } from "../pay/PaidNote";
import { loadPayablesOf, useReloadPayments } from "../piecework.api";
import type { Days } from "./period";

const PayDrawer = lazyPart(() => import("../pay/PayDrawer"));

interface Props {
  userId: number;
  days: Days;
  onPaid: (paid: Paid) => void;
  onClose: () => void;
}

export function PayPerson({ userId, days, onPaid, onClose }: Props) {
  const { t } = useTranslation("piecework");
  const reload = useReloadPayments();
  const [list, setList] = useState<List<Payable> | null>(null);
  const { from, to } = days;

  useEffect(() => {
    let gone = false;
    const load = async () => {
      try {
        const loaded = await loadPayablesOf(userId, {
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        });
        if (gone) return;
        if (loaded.rows.length > 0) return setList(loaded);
        toast.note(t("people.paidMeanwhile"));
        reload();
      } catch (reason) {
        if (gone) return;
        toastError(reason);
      }
      onClose();
    };
    void load();
    return () => {
      gone = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for the person and the days
  }, [userId, from, to]);

  if (list === null) return null;
  return (
    <PayDrawer
      basket={basketOf(list.rows)}
      matching={list.total}
      onPaid={onPaid}
      onClose={onClose}
    />
  );
}
