/** The first step: one large button for each choice. */
import RightOutlined from "@ant-design/icons/es/icons/RightOutlined";
import type { ReactNode } from "react";

export interface Choice<V> {
  value: V;
  label: ReactNode;
  hint?: string;
}

interface Props<V> {
  label: string;
  choices: Choice<V>[];
  onChoose: (value: V) => void;
}

export function Choices<V extends string | number>({ label, choices, onChoose }: Props<V>) {
  return (
    <ul className="ob-choices" aria-label={label}>
      {choices.map(({ value, label: text, hint }) => (
        <li key={value}>
          <button type="button" className="ob-choices__choice" onClick={() => onChoose(value)}>
            <span className="ob-choices__text">{text}</span>
            {hint !== undefined && <span className="ob-choices__hint">{hint}</span>}
            <RightOutlined aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
