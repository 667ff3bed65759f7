/** The lines of an order with status, process and actions. Shows cards on touch screens. */
import Table, { type ColumnsType } from "antd/es/table";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Line } from "@/contract";
import { useHand } from "@/shared/hooks/browser";
import { useRowKeys } from "@/shared/keyboard/useRowKeys";
import { Delivery, LinePicture } from "../Figures";
import { StatusButton } from "../line/StatusButton";
import { linePath } from "../paths";
import type { LineActions } from "../useLineActions";
import { LineButtons } from "./LineButtons";
import { Forecast } from "@/entities/forecast/Forecast";
import { OpenCall } from "@/entities/talk/OpenCall";
import { Quantity } from "@/entities/standing/Quantity";
import { Standing } from "@/entities/standing/Standing";

interface Props {
  lines: Line[];
  actions: LineActions;
  onOpen: (position: number) => void;
  onEdit: (line: Line) => void;
}

export function LinesTable({ lines, actions, onOpen, onEdit }: Props) {
  const { t } = useTranslation("orders");
  const hand = useHand();
  const { box, onRow } = useRowKeys<Line>({
    rows: hand ? [] : lines,
    onOpen: ({ position }) => onOpen(position),
  });
  const rowProps = (line: Line) => ({
    line,
    actions,
    onOpen: () => onOpen(line.position),
    onEdit: () => onEdit(line),
  });

  if (hand) {
    return (
      <ul className="ob-ruled">
        {lines.map((line) => (
          <LineCard key={line.position} {...rowProps(line)} />
        ))}
      </ul>
    );
  }
  const columns: ColumnsType<Line> = [
    {
      key: "position",
      title: t("column.position"),
      align: "right",
      width: 64,
      dataIndex: "position",
    },
    {
      key: "item",
      title: t("field.item"),
      render: (_, line) => (
        <span className="ob-bar">
          <LinePicture line={line} />
          <ItemLink line={line} onOpen={() => onOpen(line.position)} />
        </span>
      ),
    },
    {
      key: "quantity",
      title: t("field.quantity"),
      align: "right",
      render: (_, line) => <Quantity line={line} />,
    },
    {
      key: "status",
      title: t("column.status"),
      render: (_, line) => <StatusButton line={line} actions={actions} />,
    },
    {
      key: "process",
      title: t("column.standing"),
      render: (_, line) => (
        <>
          <Standing line={line} /> <OpenCall line={line} />
        </>
      ),
    },
    {
      key: "delivery",
      title: t("field.deliveryDate"),
      render: (_, { deliveryDate, late }) => <Delivery day={deliveryDate} late={late} said />,
    },
    {
      key: "forecast",
      title: t("column.forecast"),
      render: (_, { forecast, late, deliveryDate }) => (
        <Forecast forecast={forecast} late={late} due={deliveryDate} />
      ),
    },
    {
      key: "actions",
      title: <span className="ob-visually-hidden">{t("column.actions")}</span>,
      align: "right",
      render: (_, line) => <LineButtons {...rowProps(line)} />,
    },
  ];
  return (
    <section ref={box}>
      <Table<Line>
        rowKey="position"
        size="middle"
        columns={columns}
        dataSource={lines}
        pagination={false}
        scroll={{ x: "100%" }}
        rowClassName={({ status }) => (status === "Canceled" ? "ob-order-lines__canceled" : "")}
        onRow={onRow}
      />
    </section>
  );
}

/** A plain click opens the modal; a new tab opens the line's own page. */
function ItemLink({ line, onOpen }: { line: Line; onOpen: () => void }) {
  const { t } = useTranslation("orders");
  const { salesOrderId, position, itemName, itemKey } = line;
  return (
    <span className="ob-stack ob-stack--tight">
      <Link
        className="ob-record-link"
        to={linePath(salesOrderId, position)}
        aria-label={t("action.openLine", { position, item: itemName })}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onOpen();
        }}
      >
        {itemName}
      </Link>
      <span className="ob-quiet">{itemKey}</span>
    </span>
  );
}

function LineCard(props: {
  line: Line;
  actions: LineActions;
  onOpen: () => void;
  onEdit: () => void;
}) {
  const { t } = useTranslation("orders");
  const { line, actions, onOpen } = props;
  return (
    <li className="ob-stack ob-card ob-line-card">
      <span className="ob-words ob-apart">
        <span className="ob-quiet">{t("line.title", { position: line.position })}</span>
        <StatusButton line={line} actions={actions} />
      </span>
      <span className="ob-bar">
        <LinePicture line={line} />
        <ItemLink line={line} onOpen={onOpen} />
      </span>
      <span className="ob-words ob-apart">
        <span>
          <Quantity line={line} said />
        </span>
        <Delivery day={line.deliveryDate} late={line.late} said />
      </span>
      <Standing line={line} />
      <OpenCall line={line} />
      <Forecast forecast={line.forecast} late={line.late} due={line.deliveryDate} />
      <LineButtons {...props} />
    </li>
  );
}
