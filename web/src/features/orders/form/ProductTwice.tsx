/** Asks before an order gets a product a second time: the line that has it may be the one that was meant. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { textOf, type Typed } from "@/shared/format/typedNumber";
import { useFocusBack } from "@/shared/hooks/browser";

/** The line that has the product already. */
export interface SameProduct {
  /** Its number in the order. */
  number: number;
  itemName: string;
  quantity: Typed;
}

interface Props {
  same: SameProduct;
  /** What is answered with yes: another line, or this one all the same. */
  accept: string;
  onAccept: () => void;
  onGo: () => void;
  onClose: () => void;
}

export function ProductTwice({ same, accept, onAccept, onGo, onClose }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  useFocusBack();
  // The question holds the focus until it is gone: only then can it go to a field.
  const [answer, setAnswer] = useState<(() => void) | null>(null);
  const { number, itemName: item, quantity } = same;
  const pieces =
    typeof quantity === "number" ? t("pieces", { count: quantity }) : textOf(quantity) || t("none");
  return (
    <Modal
      open={answer === null}
      afterClose={() => answer?.()}
      centered
      width={460}
      title={t("twice.title", { item })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={() => setAnswer(() => onClose)}
      footer={[
        <Button key="another" onClick={() => setAnswer(() => onAccept)}>
          {accept}
        </Button>,
        <Button key="go" type="primary" onClick={() => setAnswer(() => onGo)}>
          {t("twice.go")}
        </Button>,
      ]}
    >
      <p>{t("twice.text", { line: number, item, pieces })}</p>
    </Modal>
  );
}

/** The line of a saved order that has the product, beside the one that is edited; a canceled one makes nothing. */
export function lineWith(
  lines: readonly Line[],
  itemId: number,
  edited?: Pick<Line, "position">,
): Line | undefined {
  return lines.find(
    (line) =>
      line.itemId === itemId && line.status !== "Canceled" && line.position !== edited?.position,
  );
}
