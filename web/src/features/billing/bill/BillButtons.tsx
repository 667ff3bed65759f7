/** Buttons of a bill, from the server's `actions`: the next step first, the red one last and without a key. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Delivery } from "@/contract";
import { usePdf } from "@/shared/ui/usePdf";
import { KeyButton } from "@/shared/ui/KeyButton";
import { LabelsButton } from "@/entities/labels/LabelsButton";
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
      {actions.bill && (
        <KeyButton letter="f" does="bill" type="primary" onClick={() => onAsk("bill")}>
          {t("action.bill")}
        </KeyButton>
      )}
      {actions.edit && (
        <KeyButton letter="e" does="edit" onClick={() => void navigate(editPath(bill.id))}>
          {t("action.edit")}
        </KeyButton>
      )}
      {actions.print && (
        <>
          <KeyButton
            letter="p"
            does="showPdf"
            type={bill.status === "Billed" ? "primary" : "default"}
            icon={<FilePdfOutlined aria-hidden />}
            disabled={pdf.busy}
            onClick={() => void pdf.show()}
          >
            {t("action.showPdf")}
          </KeyButton>
          <KeyButton
            letter="d"
            does="savePdf"
            icon={<DownloadOutlined aria-hidden />}
            loading={pdf.busy}
            onClick={() => void pdf.save()}
          >
            {t("action.savePdf")}
          </KeyButton>
        </>
      )}
      <LabelsButton
        source={{ deliveryId: bill.id }}
        pieces={bill.lines.map(({ quantity }) => quantity)}
      />
      {actions.numbers && bill.status === "Billed" && (
        <KeyButton letter="e" does="numbers" onClick={() => onAsk("numbers")}>
          {t("numbers.edit")}
        </KeyButton>
      )}
      {actions.cancel && (
        <Button danger onClick={() => onAsk("cancel")}>
          {t(bill.status === "PreBill" ? "action.cancelPreBill" : "action.cancelBill")}
        </Button>
      )}
    </>
  );
}
