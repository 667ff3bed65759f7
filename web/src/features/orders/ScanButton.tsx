/**
 * Open a line by its work sheet: with a scanner anywhere on the page, or with the camera from this
 * button.
 */
import ScanOutlined from "@ant-design/icons/es/icons/ScanOutlined";
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLineScanner, useOpenScanned } from "@/entities/scanning/openLine";
import { useIsCustomer } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";

const ScanDialog = lazyPart(() => import("@/entities/scanning/ScanDialog"));

/** Renders nothing for customers, who have no work sheets. */
export function ScanButton() {
  return useIsCustomer() ? null : <ScanButtonOfStaff />;
}

function ScanButtonOfStaff() {
  const { t } = useTranslation("scanning");
  const [open, setOpen] = useState(false);
  const onCode = useOpenScanned();
  useLineScanner();
  return (
    <>
      <Button icon={<ScanOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t("button")}
      </Button>
      {open && <ScanDialog onCode={onCode} onClose={() => setOpen(false)} />}
    </>
  );
}
