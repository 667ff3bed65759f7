/** The button that prints labels, for staff who may print work sheets. */
import TagOutlined from "@ant-design/icons/es/icons/TagOutlined";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { KeyButton } from "@/shared/ui/KeyButton";
import { useIsCustomer, useMay } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { LabelSource } from "./labels";

const LabelsDialog = lazyPart(() => import("./LabelsDialog"));

interface Props {
  source: LabelSource;
  /** The pieces of each line that gets labels. */
  pieces: readonly number[];
  keyed?: boolean;
  size?: "large";
}

export function LabelsButton({ source, pieces, ...look }: Props) {
  const { t } = useTranslation("labels");
  const mayPrint = useMay("PrintWorkSheet");
  const customer = useIsCustomer();
  const [open, setOpen] = useState(false);
  if (!mayPrint || customer) return null;
  return (
    <>
      <KeyButton
        {...look}
        letter="t"
        does="labels"
        icon={<TagOutlined aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t("open")}
      </KeyButton>
      {open && <LabelsDialog source={source} pieces={pieces} onClose={() => setOpen(false)} />}
    </>
  );
}
