/** Open the popups and the history of a line, or say why they cannot be opened. */
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Line, Permission } from "@/contract";
import { useIsCustomer, useSession } from "@/shared/session/session";
import { toastNotAllowed } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { piecesToReplace } from "./line/pieces";
import type { Operation, Preferred } from "./popup/PopupFrame";

const StatusPopup = lazyPart(() => import("./popup/StatusPopup"));
const MovePopup = lazyPart(() => import("./popup/MovePopup"));
const ReleasePopup = lazyPart(() => import("./popup/ReleasePopup"));
const ReplacePopup = lazyPart(() => import("./popup/ReplacePopup"));
const ScrapPopup = lazyPart(() => import("./popup/ScrapPopup"));
const UndoPopup = lazyPart(() => import("./popup/UndoPopup"));
const HistoryDialog = lazyPart(() => import("./history/HistoryDialog"));

const POPUPS = {
  status: StatusPopup,
  move: MovePopup,
  scrap: ScrapPopup,
  replace: ReplacePopup,
  release: ReleasePopup,
  undo: UndoPopup,
} as const;
const NO_PROCESS_SECONDS = 4;

type Opened =
  | { what: Operation; position: number; prefer?: Preferred | undefined }
  | { what: "history"; position: number };

export interface LineActions {
  /**
   * Whether a click has an effect: the user can choose something, or the action shows why it is
   * refused.
   */
  answers: (what: Operation, line: Line) => boolean;
  open: (what: Operation, line: Line, prefer?: Preferred) => void;
  openHistory: (line: Line) => void;
  /** The open dialog, which the page must render. */
  dialog: ReactNode;
}

/** `lineAt` returns the newest state of a line, so that an open dialog follows it. */
export function useLineActions(lineAt: (position: number) => Line | undefined): LineActions {
  const { t } = useTranslation("orders");
  const permissions = useSession()?.permissions ?? [];
  const customer = useIsCustomer();
  const [opened, setOpened] = useState<Opened | null>(null);
  const may = (permission: Permission) => permissions.includes(permission);

  function open(what: Operation, line: Line, prefer?: Preferred) {
    if (offers(what, line) > 0) setOpened({ what, position: line.position, prefer });
    else if (!may(needed(what, line))) toastNotAllowed();
  }

  function openHistory(line: Line) {
    if (!may("SalesOrderPositionRecord")) toastNotAllowed();
    else if (line.productionProcesses.length === 0) {
      toast.error(t("history.noProcess"), NO_PROCESS_SECONDS);
    } else setOpened({ what: "history", position: line.position });
  }

  const line = opened === null ? undefined : lineAt(opened.position);
  return {
    answers: (what, each) => offers(what, each) > 0 || (!customer && !may(needed(what, each))),
    open,
    openHistory,
    dialog:
      opened === null || line === undefined ? null : (
        <OpenDialog
          opened={opened}
          line={line}
          onUndo={() => open("undo", line)}
          onClose={() => setOpened(null)}
        />
      ),
  };
}

function OpenDialog(props: {
  opened: Opened;
  line: Line;
  onUndo: () => void;
  onClose: () => void;
}) {
  const { opened, line, onUndo, onClose } = props;
  if (opened.what === "history") {
    return <HistoryDialog line={line} onUndo={onUndo} onClose={onClose} />;
  }
  const Popup = POPUPS[opened.what];
  return <Popup line={line} prefer={opened.prefer} onClose={onClose} />;
}

function offers(what: Operation, line: Line): number {
  if (what === "replace") return piecesToReplace(line);
  const { actions } = line;
  const offered = {
    status: actions.statuses,
    move: actions.movements,
    scrap: actions.scrap,
    release: actions.release,
    undo: actions.undo,
  };
  return offered[what].length;
}

/** Return the permission that the user lacks if the server offers nothing. */
function needed(what: Operation, line: Line): Permission {
  if (what === "status") return "UpdateSalesOrderPositionStatus";
  if (what === "scrap") return "ScrapPieces";
  if (what === "replace") return "UpdateSalesOrderPosition";
  if (what === "release") return "ReleaseProductionProccess";
  return line.quantityInside > 0 ? "SalesOrderPositionProcessOut" : "SalesOrderPositionProcessIn";
}
