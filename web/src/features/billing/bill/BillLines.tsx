/** Lines of a bill. A pre-bill also shows the pieces left to bill, because it reserves none. */
import Table, { type ColumnsType } from "antd/es/table";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Delivery, DeliveryLine } from "@/contract";
import { formatGrams, formatMoney, formatNumber } from "@/shared/format/numbers";
import { useHand } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { scannedPath } from "@/entities/scanning/openLine";
import { useMay } from "@/shared/session/session";
import { Money } from "@/shared/ui/Facts";

const keyOf = ({ salesOrderId, position }: DeliveryLine) => `${salesOrderId}-${position}`;

export function BillLines({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  const hand = useHand();
  const number = (value: number) => formatNumber(value, language);
  if (hand) {
    return (
      <ul className="ob-stack ob-stack--wide">
        {bill.lines.map((line) => (
          <LineCard
            key={keyOf(line)}
            line={line}
            currency={bill.currency}
            open={bill.status === "PreBill"}
          />
        ))}
      </ul>
    );
  }
  const columns: ColumnsType<DeliveryLine> = [
    {
      key: "place",
      title: t("lines.line"),
      className: "ob-bill-words",
      render: (_, line) => <Place line={line} />,
    },
    {
      key: "item",
      className: "ob-bill-words",
      title: t("lines.item"),
      render: (_, { itemName, itemKey }) => (
        <>
          <strong>{itemName}</strong> <span className="ob-quiet">{itemKey}</span>
        </>
      ),
    },
    {
      key: "quantity",
      title: t("lines.quantity"),
      align: "right",
      render: (_, { quantity }) => number(quantity),
    },
    ...(bill.metalGrams === null
      ? []
      : ([
          {
            key: "metal",
            title: t("lines.metal"),
            align: "right",
            render: (_, { metalGrams }) => metalGrams !== null && formatGrams(metalGrams, language),
          },
        ] satisfies ColumnsType<DeliveryLine>)),
    ...(bill.status === "PreBill"
      ? ([
          {
            key: "remaining",
            title: t("lines.remaining"),
            align: "right",
            render: (_, line) => <Remaining line={line} />,
          },
        ] satisfies ColumnsType<DeliveryLine>)
      : []),
    {
      key: "price",
      title: t("lines.price"),
      align: "right",
      render: (_, { price }) => formatMoney(price, bill.currency, language),
    },
    {
      key: "tax",
      title: t("lines.tax"),
      align: "right",
      render: (_, { taxAmount }) => t("percent", { rate: number(taxAmount) }),
    },
    {
      key: "amount",
      title: t("lines.amount"),
      align: "right",
      render: (_, { amount }) => <Money amount={amount} currency={bill.currency} />,
    },
  ];
  return (
    <Table<DeliveryLine>
      rowKey={keyOf}
      size="middle"
      columns={columns}
      dataSource={bill.lines}
      pagination={false}
      scroll={{ x: "100%" }}
    />
  );
}

interface CardProps {
  line: DeliveryLine;
  currency: string;
  open: boolean;
}

function LineCard({ line, currency, open }: CardProps) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  return (
    <li className="ob-stack ob-stack--tight">
      <span className="ob-bar ob-apart">
        <Place line={line} />
        <Money amount={line.amount} currency={currency} />
      </span>
      <strong>{line.itemName}</strong>
      <span className="ob-quiet">
        {t("pieces", { count: line.quantity })} × {formatMoney(line.price, currency, language)} ·{" "}
        {t("lines.tax")} {t("percent", { rate: formatNumber(line.taxAmount, language) })}
      </span>
      {open && (
        <span className="ob-quiet">
          {t("lines.remaining")}: <Remaining line={line} />
        </span>
      )}
    </li>
  );
}

/** Pieces left to bill, marked if the pre-bill asks for more. */
function Remaining({ line }: { line: DeliveryLine }) {
  const language = useLanguage();
  return (
    <span className={line.quantity > line.remaining ? "ob-wrong" : ""}>
      {formatNumber(line.remaining, language)}
    </span>
  );
}

function Place({ line }: { line: DeliveryLine }) {
  const { t } = useTranslation("billing");
  const all = useMay("ListOrders");
  const ofOrders = useMay("ListSalesOrders");
  const { customerSalesOrderId: po, salesOrderId, position } = line;
  const name = t("lines.place", { po, position });
  if (!all && !ofOrders) return <span>{name}</span>;
  return (
    <Link className="ob-record-link" to={scannedPath(salesOrderId, position)}>
      {name}
    </Link>
  );
}
