/** Adds a line to an order, or changes one; only what the person touched is sent. */
import Form from "antd/es/form";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Line, Option, SalesOrder } from "@/contract";
import { pick } from "@/shared/form/changes";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { useTakeLine } from "../useTakeLine";
import { loadLine } from "../orders.api";
import { addLine, updateLine } from "../orders.writes";
import { LineFields } from "./LineFields";
import { lineBody, valuesOf, type LineValues } from "./values";

const FIELDS = [
  "itemId",
  "quantity",
  "shipmentDate",
  "deliveryDate",
  "shippingDate",
  "notes",
] as const;
const LABELS = {
  itemId: "field.item",
  quantity: "field.quantity",
  shipmentDate: "field.shipmentDate",
  deliveryDate: "field.deliveryDate",
  shippingDate: "field.shippingDate",
  notes: "field.lineNotes",
} as const;
const BLANK: LineValues = {
  itemId: null,
  itemName: "",
  quantity: 1,
  shipmentDate: null,
  deliveryDate: null,
  shippingDate: null,
  notes: "",
};

interface Props {
  order: Pick<SalesOrder, "id" | "customerSalesOrderId">;
  /** Without one, a line is added. */
  line?: Line | undefined;
  onAdded: () => void;
  onClose: () => void;
}

export default function LineDrawer({ order, line, onAdded, onClose }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  const take = useTakeLine();
  // The line as this form knows it: live changes must not move the ground under what is typed.
  const known = useRef(line);

  return (
    <FormDrawer<LineValues>
      title={
        line === undefined
          ? t("order.addLineTitle", { po: order.customerSalesOrderId })
          : t("order.editLineTitle", { position: line.position })
      }
      name={`order/${order.id}/line/${line?.position ?? "new"}`}
      saveLabel={line === undefined ? t("form.saveLine") : t("shared:action.save")}
      initial={line === undefined ? BLANK : valuesOf(line)}
      fields={FIELDS}
      save={async (headers, values, touched) => {
        if (known.current === undefined) {
          const added = await addLine(headers, order.id, lineBody(values));
          onAdded();
          return added;
        }
        const changed = await updateLine(headers, known.current, pick(lineBody(values), touched));
        await take(changed);
        return changed;
      }}
      {...(line === undefined
        ? {}
        : {
            reload: async () => {
              const now = await loadLine(line.salesOrderId, line.position);
              known.current = now;
              return valuesOf(now);
            },
          })}
      describe={(field, values) => ({
        label: t(LABELS[field as keyof typeof LABELS]),
        text: String((field === "itemId" ? values.itemName : values[field]) ?? ""),
      })}
      onClose={onClose}
    >
      <div className="ob-drawer-line">
        <ItemField />
        <LineFields path={[]} />
      </div>
    </FormDrawer>
  );
}

function ItemField() {
  const { t } = useTranslation("orders");
  const form = Form.useFormInstance<LineValues>();
  return (
    <Form.Item
      name="itemId"
      label={t("field.item")}
      className="ob-line-field ob-line-field--item"
      rules={[{ required: true, message: t("form.required") }]}
      getValueFromEvent={(option: Option | null) => {
        form.setFieldValue("itemName", option?.name ?? "");
        return option?.id ?? null;
      }}
    >
      <OptionSelect
        catalog="items"
        placeholder={t("form.addItemHint")}
        valueName={form.getFieldValue("itemName") || undefined}
      />
    </Form.Item>
  );
}
