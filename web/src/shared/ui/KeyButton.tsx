/** A button of a page with a keyboard shortcut. The button shows its key. */
import Button, { type ButtonProps } from "antd/es/button";
import { useRef } from "react";
import { useHand } from "@/shared/hooks/browser";
import { useShortcut, type Shortcut } from "@/shared/keyboard/shortcuts";
import "./ui.css";

interface Props extends Omit<ButtonProps, "onClick"> {
  letter: string;
  does: Shortcut["does"];
  onClick: () => void;
  /** False in a dialog, where the shortcuts of the page do not work. */
  keyed?: boolean;
}

export function KeyButton({ letter, does, onClick, keyed = true, children, ...props }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const hand = useHand();
  // Focus the button first. The focus returns to it when a dialog closes, or moves to the next
  // button if this one disappears.
  const press = () => {
    button.current?.focus();
    onClick();
  };
  useShortcut({ key: letter, does, press }, { is: keyed && !props.disabled && !props.loading });
  return (
    <Button
      {...props}
      ref={button}
      {...(keyed ? { "aria-keyshortcuts": letter } : {})}
      onClick={onClick}
    >
      {children}
      {keyed && !hand && <Key letter={letter} />}
    </Button>
  );
}

/** The key of an action, beside its words. */
export function Key({ letter }: { letter: string }) {
  return (
    <kbd className="ob-key ob-key--beside" aria-hidden>
      {letter}
    </kbd>
  );
}
