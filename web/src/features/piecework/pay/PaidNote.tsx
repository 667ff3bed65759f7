/** Link to the payment just made, with its pay slip. */
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePdf } from "@/shared/hooks/usePdf";
import { paymentPath } from "../paths";
import { fetchReceipt } from "../piecework.api";

export function PaidNote({ paymentId, onClose }: { paymentId: number; onClose: () => void }) {
  const { t } = useTranslation(["piecework", "shared"]);
  return (
    <p className="ob-note ob-row" role="status">
      <Link to={paymentPath(paymentId)}>{t("paid.one", { id: paymentId })}</Link>
      <ReceiptButton paymentId={paymentId} />
      <Button type="text" onClick={onClose}>
        {t("shared:action.close")}
      </Button>
    </p>
  );
}

/** Button that shows the pay slip in a new tab. */
export function ReceiptButton({ paymentId }: { paymentId: number }) {
  const { t } = useTranslation("piecework");
  const receipt = usePdf(() => fetchReceipt(paymentId));
  return (
    <Button
      icon={<FilePdfOutlined aria-hidden />}
      loading={receipt.busy}
      onClick={() => void receipt.show()}
    >
      {t("paid.receipt")}
    </Button>
  );
}
