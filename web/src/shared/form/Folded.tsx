/** Fields of a form that most records do without, behind their title. */
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** Whether the fields are in sight from the start. */
  open?: boolean;
  children: ReactNode;
}

export function Folded({ title, open = false, children }: Props) {
  return (
    <details className="ob-folded ob-whole" {...(open ? { open } : {})}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Show all folded fields of forms, because one of them is wrong and must take the focus. */
export function unfold(): void {
  for (const folded of document.querySelectorAll<HTMLDetailsElement>("form .ob-folded")) {
    folded.open = true;
  }
}
