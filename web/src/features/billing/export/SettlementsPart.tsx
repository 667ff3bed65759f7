/** What is owed for a bill: its payments and credit notes, each with its electronic paper. */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery, Settlement } from "@/contract";
import { formatDay } from "@/shared/format/plant";
import { useAnswers } from "@/shared/http/data";
import { Fact, Money } from "@/shared/ui/Facts";
import { toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { useSubmit } from "@/shared/ui/useSubmit";
import { unsettleBill, useCfdi, useSettlements } from "../billing.api";
import { BILL_LISTS } from "../useBillAction";
import { PaperActions } from "./PaperActions";

const SettleDrawer = lazyPart(() => import("./SettleDrawer"));

export function SettlementsPart({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const { data: owed, mutate } = useSettlements(bill.id, true);
  const { data: invoice } = useCfdi(bill.id);
  const [noting, setNoting] = useState<Settlement["kind"] | null>(null);
  if (owed === undefined) return null;
  const { settlements, balance, currency } = owed;
  const last = settlements.at(-1);
  const may = bill.actions.settle && balance > 0;
  return (
    <>
      <Fact name={t("settlements.title")} wide>
        <span className="ob-words">
          <span>
            {t("settlements.balance")} <Money amount={balance} currency={currency} />
          </span>
          {may && bill.export.paymentForm === "" && (
            <Button size="small" onClick={() => setNoting("payment")}>
              {t("settlements.note.payment")}
            </Button>
          )}
          {may && (
            <Button size="small" onClick={() => setNoting("creditNote")}>
              {t("settlements.note.creditNote")}
            </Button>
          )}
        </span>
        {settlements.map((one) => (
          <Row
            key={one.id}
            bill={bill}
            row={one}
            isLast={one === last}
            isStamped={invoice?.state === "stamped"}
            csd={invoice?.csd === true}
            pac={invoice?.pac === true}
            onDone={() => void mutate()}
          />
        ))}
      </Fact>
      {noting !== null && (
        <SettleDrawer
          bill={bill}
          kind={noting}
          balance={balance}
          onDone={(now) => void mutate(now, { revalidate: false })}
          onClose={() => setNoting(null)}
        />
      )}
    </>
  );
}

interface RowProps {
  bill: Delivery;
  row: Settlement;
  isLast: boolean;
  /** Whether the invoice is stamped: its papers name its folio. */
  isStamped: boolean;
  csd: boolean;
  pac: boolean;
  onDone: () => void;
}

function Row({ bill, row, isLast, isStamped, csd, pac, onDone }: RowProps) {
  const { t } = useTranslation("billing");
  const answers = useAnswers();
  const { submit, busy } = useSubmit((_headers, id: number) => unsettleBill(bill.id, id));

  async function takeBack() {
    try {
      await submit(row.id);
      answers.afterWrite(BILL_LISTS);
      onDone();
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <span className="ob-words">
      <span>
        {t(`settlements.${row.kind}`, { number: row.number, day: formatDay(row.at) })}{" "}
        <Money amount={row.amount} currency={row.currency} />
      </span>
      {row.state !== null && (
        <span className="ob-quiet">
          {row.state === "sealed"
            ? t("settlements.sealed")
            : t(row.canceling ? "cfdi.canceling" : "cfdi.stamped", { uuid: row.uuid })}
        </span>
      )}
      {(isStamped || row.state !== null) && (
        <PaperActions
          paper={{ billId: bill.id, settlementId: row.id }}
          state={row.state}
          csd={csd}
          pac={pac}
          isCanceling={row.canceling}
          onDone={onDone}
        />
      )}
      {isLast && row.state === null && bill.actions.settle && (
        <Button size="small" loading={busy} onClick={() => void takeBack()}>
          {t("settlements.takeBack")}
        </Button>
      )}
    </span>
  );
}
