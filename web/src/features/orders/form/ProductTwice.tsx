/** Ask before an order gets a product twice, because the user may have meant the existing line. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { useFocusBack } from "@/shared/hooks/browser";

interface Props {
  /** The existing line with the product. */
  same: Line;
  onAccept: () => void;
  onGo: () => void;
  onClose: () => void;
}

export function ProductTwice({ same, onAccept, onGo, onClose }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  useFocusBack();
  // Answer after the dialog has closed, because it holds the focus until then.
  const [answer, setAnswer] = useState<(() => void) | null>(null);
  const { position, itemName: item, quantity } = same;
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
          {t("twice.same")}
        </Button>,
        <Button key="go" type="primary" onClick={() => setAnswer(() => onGo)}>
          {t("twice.go")}
        </Button>,
      ]}
    >
      <p>{t("twice.text", { line: position, item, pieces: t("pieces", { count: quantity }) })}</p>
    </Modal>
  );
}

/** Find another line of the order with the product. Canceled lines do not count. */
export function lineWith(
  lines: readonly Line[],
  itemId: number,
  edited: Pick<Line, "position">,
): Line | undefined {
  return lines.find(
    (line) =>
      line.itemId === itemId && line.status !== "Canceled" && line.position !== edited.position,
  );
}
