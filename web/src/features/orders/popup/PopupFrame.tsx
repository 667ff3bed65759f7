/** Frame and shared parts of the popups of a line. */
import RightOutlined from "@ant-design/icons/es/icons/RightOutlined";
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { useFocusBack } from "@/shared/hooks/browser";
import { TALL_DIALOG } from "@/shared/ui/tallDialog";
import "./popup.css";

/** 18vw in windows of at least 1280 px, 320 px in narrower ones: see popup.css. */
export const NARROW = "var(--ob-popup-narrow)";
export const WIDE = 500;

/** The name under which the draft of a popup is kept. */
export const draftName = (line: Line, popup: string) =>
  `order/${line.salesOrderId}/line/${line.position}/${popup}`;

interface Props {
  line: Line;
  width: string | number;
  title: string;
  /** A request is running. The popup cannot be closed until it is answered. */
  busy: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function PopupFrame({ line, width, title, busy, onClose, children }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  useFocusBack();
  return (
    <Modal
      open
      centered
      className="ob-popup"
      styles={TALL_DIALOG}
      width={width}
      title={title}
      footer={null}
      closable={{ "aria-label": t("shared:action.close"), disabled: busy }}
      onCancel={() => {
        if (!busy) onClose();
      }}
    >
      <p className="ob-quiet ob-below ob-breaks">
        {t("popup.subject", { po: line.customerSalesOrderId, position: line.position })}
        {" · "}
        {line.itemName}
      </p>
      {children}
    </Modal>
  );
}

/** Shown if others took away the last choice while the popup was open. */
export function NothingLeft({ explained, onClose }: { explained: boolean; onClose: () => void }) {
  const { t } = useTranslation(["orders", "shared"]);
  return (
    <div className="ob-stack ob-stack--wide ob-confirm">
      {!explained && <p role="status">{t("race.changed")}</p>}
      <div className="ob-bar ob-confirm__buttons">
        <Button size="large" onClick={onClose}>
          {t("shared:action.close")}
        </Button>
      </div>
    </div>
  );
}

export type Operation = "status" | "move" | "scrap" | "replace" | "release" | "undo";

/** The choice that the pressed button has already made: a direction, or a status. */
export type Preferred = "in" | "out" | "Done";

export interface PopupProps {
  /** Updated while the popup is open, so that its choices follow. */
  line: Line;
  /** The choice that the user already made, used if it is possible. */
  prefer?: Preferred | undefined;
  onClose: () => void;
}

interface Choice<V> {
  value: V;
  label: ReactNode;
  hint?: string;
}

interface ChoicesProps<V> {
  label: string;
  choices: Choice<V>[];
  onChoose: (value: V) => void;
}

/** First step of a popup: one large button for each choice. */
export function Choices<V extends string | number>({ label, choices, onChoose }: ChoicesProps<V>) {
  const list = useRef<HTMLUListElement>(null);
  // Focus the first choice. Else the x would have the focus, and Enter would close the popup.
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <ul ref={list} className="ob-stack ob-choices" aria-label={label}>
      {choices.map(({ value, label: text, hint }) => (
        <li key={value}>
          <button type="button" className="ob-choices__choice" onClick={() => onChoose(value)}>
            <span className="ob-breaks ob-choices__text">{text}</span>
            {hint !== undefined && <span className="ob-breaks ob-choices__hint">{hint}</span>}
            <RightOutlined aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
