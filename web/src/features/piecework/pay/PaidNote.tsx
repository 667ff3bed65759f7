/** Say which people were just paid and how much, with their pay slips. */
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePdf } from "@/shared/ui/usePdf";
import { PAID, paymentPath } from "../paths";
import { fetchReceipts } from "../piecework.api";
import { usePayWords } from "./usePayWords";

/** The payments made by one question. */
export interface Paid {
  paymentIds: number[];
  total: number | null;
  to: readonly { name: string }[];
}

export function PaidNote({ paid, onClose }: { paid: Paid; onClose: () => void }) {
  const { t } = useTranslation(["piecework", "shared"]);
  const { payTo } = usePayWords();
  const [only, ...others] = paid.paymentIds;
  const isOne = only !== undefined && others.length === 0;
  return (
    <div className="ob-note ob-row" role="status">
      <strong className="ob-first">{payTo("done", paid.total, paid.to)}</strong>
      <Link to={isOne ? paymentPath(only) : PAID}>
        {isOne ? t("paid.one", { id: only }) : t("paid.see", { count: paid.paymentIds.length })}
      </Link>
      <ReceiptButton paymentIds={paid.paymentIds} />
      <Button type="text" onClick={onClose}>
        {t("shared:action.close")}
      </Button>
    </div>
  );
}

/** Button that shows the pay slips in a new tab, as one PDF. */
export function ReceiptButton({ paymentIds }: { paymentIds: number[] }) {
  const { t } = useTranslation("piecework");
  const receipts = usePdf(() => fetchReceipts(paymentIds));
  return (
    <Button
      icon={<FilePdfOutlined aria-hidden />}
      loading={receipts.busy}
      onClick={() => void receipts.show()}
    >
      {t("paid.receipt", { count: paymentIds.length })}
    </Button>
  );
}
