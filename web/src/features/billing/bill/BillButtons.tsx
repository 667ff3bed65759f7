/** Buttons of a bill, from the server's `actions`. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Delivery } from "@/contract";
import { usePdf } from "@/shared/hooks/usePdf";
import { fetchPdf } from "../billing.api";
import { editPath } from "../paths";

interface Props {
  bill: Delivery;
  onAsk: (what: "bill" | "cancel" | "numbers") => void;
}

export function BillButtons({ bill, onAsk }: Props) {
  const { t } = useTranslation("billing");
  const navigate = useNavigate();
  const { actions } = bill;
  const pdf = usePdf(() => fetchPdf(bill.id));
  return (
    <>
      {actions.cancel && (
        <Button danger onClick={() => onAsk("cancel")}>
          {t(bill.status === "PreBill" ? "action.cancelPreBill" : "action.cancelBill")}
        </Button>
      )}
      {actions.print && (
        <>
          <Button
            icon={<FilePdfOutlined aria-hidden />}
            disabled={pdf.busy}
            onClick={() => void pdf.show()}
          >
            {t("action.showPdf")}
          </Button>
          <Button
            icon={<DownloadOutlined aria-hidden />}
            loading={pdf.busy}
            onClick={() => void pdf.save()}
          >
            {t("action.savePdf")}
          </Button>
        </>
      )}
      {actions.numbers && bill.status === "Billed" && (
        <Button onClick={() => onAsk("numbers")}>{t("numbers.edit")}</Button>
      )}
      {actions.edit && (
        <Button onClick={() => void navigate(editPath(bill.id))}>{t("action.edit")}</Button>
      )}
      {actions.bill && (
        <Button type="primary" onClick={() => onAsk("bill")}>
          {t("action.bill")}
        </Button>
      )}
    </>
  );
}
