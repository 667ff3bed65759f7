/** Opens a line by its work sheet: a scanner types anywhere on the page, and this button brings the camera. */
import ScanOutlined from "@ant-design/icons/es/icons/ScanOutlined";
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyPart } from "@/shared/ui/lazyPart";
import { useScannerTyping } from "./scanning";

const ScanDialog = lazyPart(() => import("./ScanDialog"));

export function ScanButton() {
  const { t } = useTranslation("orders");
  const [open, setOpen] = useState(false);
  useScannerTyping();
  return (
    <>
      <Button icon={<ScanOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t("scan.button")}
      </Button>
      {open && <ScanDialog onClose={() => setOpen(false)} />}
    </>
  );
}
