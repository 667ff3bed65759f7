/**
 * Button that undoes the user's own last movement, shown while the server offers it. See
 * infra/docs/rules.md#undo.
 */
import RollbackOutlined from "@ant-design/icons/es/icons/RollbackOutlined";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { useNow } from "@/shared/hooks/browser";
import { KeyButton } from "@/shared/ui/KeyButton";

const LOOKS_EVERY = 5_000;

interface Props {
  line: Line;
  onUndo: () => void;
  /**
   * Whether the button has its keyboard shortcut: on the line's page, but not in rows and dialogs.
   */
  keyed?: boolean;
  size?: "large";
}

export function UndoButton(props: Props) {
  return props.line.actions.undo.length === 0 ? null : <TimedButton {...props} />;
}

function TimedButton({ line, onUndo, keyed = false, size }: Props) {
  const { t } = useTranslation("orders");
  const now = useNow(LOOKS_EVERY);
  const offered = stillUndoable(line, now);
  if (offered.length === 0) return null;
  const lines = offered.length === 1 ? offered[0]!.lines : 1;
  return (
    <KeyButton
      letter="z"
      does="undo"
      keyed={keyed}
      {...(size === undefined ? {} : { size })}
      icon={<RollbackOutlined aria-hidden />}
      {...(keyed ? {} : { "aria-label": t("action.undoLine", { position: line.position }) })}
      onClick={onUndo}
    >
      {lines > 1 ? t("action.undoLines", { count: lines }) : t("action.undo")}
    </KeyButton>
  );
}

export type UndoOffer = Line["actions"]["undo"][number];

/** Return the server's undo offers that have not expired. `now` is in ms. */
export function stillUndoable({ actions }: Pick<Line, "actions">, now: number): UndoOffer[] {
  return actions.undo.filter(({ until }) => Date.parse(until) > now);
}
