/** Actions of a line, from the server's `actions`: movements as buttons, the rest in a menu. */
import MoreOutlined from "@ant-design/icons/es/icons/MoreOutlined";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { useIsCustomer } from "@/shared/session/session";
import { mayFinish } from "../line/pieces";
import { UndoButton } from "../line/UndoButton";
import type { LineActions } from "../useLineActions";

interface Props {
  line: Line;
  actions: LineActions;
  onOpen: () => void;
  onEdit: () => void;
}

export function LineButtons({ line, actions, onOpen, onEdit }: Props) {
  const { t } = useTranslation("orders");
  const { position } = line;
  const customer = useIsCustomer();
  const offers = (type: "in" | "out") =>
    line.actions.movements.some((movement) => movement.type === type);
  const finishes = mayFinish(line);
  const ofStaff = [
    {
      key: "history",
      label: t("action.history"),
      onClick: () => actions.openHistory(line),
    },
    {
      key: "release",
      label: t("action.release"),
      disabled: !actions.answers("release", line),
      onClick: () => actions.open("release", line),
    },
  ];
  return (
    <span className="ob-line-buttons">
      {offers("out") && (
        <Button
          type="primary"
          ghost
          aria-label={t("action.leaveLine", { position })}
          onClick={() => actions.open("move", line, "out")}
        >
          {t("action.leave")}
        </Button>
      )}
      {finishes && (
        <Button
          type="primary"
          ghost
          aria-label={t("action.finishLine", { position })}
          onClick={() => actions.open("status", line, "Done")}
        >
          {t("action.finish")}
        </Button>
      )}
      {offers("in") && (
        <Button
          {...(offers("out") || finishes ? {} : { type: "primary", ghost: true })}
          aria-label={t("action.enterLine", { position })}
          onClick={() => actions.open("move", line, "in")}
        >
          {t("action.enter")}
        </Button>
      )}
      <UndoButton line={line} onUndo={() => actions.open("undo", line)} />
      <Dropdown
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keys then move in the menu that was opened
        autoFocus
        trigger={["click"]}
        placement="bottomRight"
        menu={{
          items: [
            { key: "open", label: t("action.open"), onClick: onOpen },
            ...(customer ? [] : ofStaff),
            ...(line.actions.edit
              ? [{ key: "edit", label: t("action.edit"), onClick: onEdit }]
              : []),
          ],
        }}
      >
        <Button
          type="text"
          icon={<MoreOutlined aria-hidden />}
          aria-label={t("action.more", { position })}
        />
      </Dropdown>
    </span>
  );
}
