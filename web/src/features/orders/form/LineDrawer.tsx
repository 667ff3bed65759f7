/** Edit a line of an order and its picture. Only the fields that the user changed are sent. */
import Form from "antd/es/form";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line, Option, SalesOrder } from "@/contract";
import { differences, pick } from "@/shared/form/changes";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { NumberField } from "@/shared/form/NumberField";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { PIECES } from "@/shared/format/typedNumber";
import { afterRecord } from "@/shared/picture/afterRecord";
import { PictureField } from "@/shared/picture/PictureField";
import { PICTURE, type PictureChange } from "@/shared/picture/pictures";
import { loadLine } from "../orders.api";
import { useLastChange } from "../useLastChange";
import { useSavedLine } from "../useSavedLine";
import { updateLine } from "../orders.writes";
import { removeLinePicture, sendLinePicture } from "../pictures/linePictures";
import { LineFields } from "./LineFields";
import { lineWith, ProductTwice } from "./ProductTwice";
import { fieldWord, lineBody, OTHERS, valuesOf, type LineValues } from "./values";
import "./form.css";

const FIELDS = ["itemId", "quantity", ...OTHERS, PICTURE] as const;

function wordOf(field: (typeof FIELDS)[number]) {
  if (field === PICTURE) return "picture.label";
  return field === "itemId" ? "field.item" : fieldWord(field);
}

interface Props {
  order: Pick<SalesOrder, "id" | "customerSalesOrderId" | "items">;
  line: Line;
  /** Edit another line instead. */
  onGo: (position: number) => void;
  onClose: () => void;
}

export default function LineDrawer({ order, line, onGo, onClose }: Props) {
  const { t } = useTranslation(["orders", "forms", "shared"]);
  const savedLine = useSavedLine();
  const lastChange = useLastChange(order.id, line.position);
  // The line that this form is based on. Live changes must not replace it while the user types.
  const known = useRef(line);
  /** The values that were saved before their picture failed. */
  const sent = useRef<LineValues>(null);

  /**
   * Save the picture after the line. If it fails, the line stays saved and the picture stays
   * chosen.
   */
  async function changePicture(saved: Line, change: PictureChange) {
    if (change === null) return;
    await afterRecord(savedLine(saved), () =>
      "file" in change ? sendLinePicture(saved, change.file, () => {}) : removeLinePicture(saved),
    );
  }

  return (
    <FormDrawer<LineValues>
      title={t("order.editLineTitle", { position: line.position })}
      name={`order/${order.id}/line/${line.position}`}
      saveLabel={t("shared:action.save")}
      initial={valuesOf(line)}
      fields={FIELDS}
      secret={[PICTURE]}
      changedBy={lastChange}
      save={async (headers, values, touched) => {
        const open = sent.current === null ? touched : differences(sent.current, values, FIELDS);
        const body = pick(lineBody(values), open);
        const changed =
          Object.keys(body).length === 0
            ? known.current
            : await updateLine(headers, known.current, body);
        known.current = changed;
        sent.current = { ...values };
        await changePicture(changed, values.picture);
        return savedLine(changed);
      }}
      reload={async () => {
        const now = await loadLine(line.salesOrderId, line.position);
        known.current = now;
        return valuesOf(now);
      }}
      describe={(field, values) => ({
        label: t(wordOf(field as (typeof FIELDS)[number])),
        text:
          field === PICTURE
            ? ""
            : String((field === "itemId" ? values.itemName : values[field]) ?? ""),
      })}
      onClose={onClose}
    >
      <div className="ob-fields">
        <ItemField lines={order.items} line={line} onGo={onGo} />
        <Form.Item name="quantity" label={t("field.quantity")}>
          <NumberField rule={PIECES} words={{ missing: t("forms:number.howMany") }} />
        </Form.Item>
        <LineFields />
        <PictureField record={line.ownImage ? line : undefined} />
      </div>
    </FormDrawer>
  );
}

interface ItemProps {
  lines: readonly Line[];
  line: Line;
  onGo: (position: number) => void;
}

function ItemField(props: ItemProps) {
  const { t } = useTranslation("orders");
  const form = Form.useFormInstance<LineValues>();
  return (
    <Form.Item
      name="itemId"
      label={t("field.item")}
      className="ob-whole"
      rules={[{ required: true, message: t("form.required") }]}
      getValueFromEvent={(option: Option | null) => {
        form.setFieldValue("itemName", option?.name ?? "");
        return option?.id ?? null;
      }}
    >
      <ItemSelect {...props} valueName={form.getFieldValue("itemName") || undefined} />
    </Form.Item>
  );
}

interface SelectProps extends ItemProps {
  valueName: string | undefined;
  id?: string;
  value?: number | null;
  onChange?: (option: Option | null) => void;
}

/** Choose the product. If another line has it, ask the user to confirm. */
function ItemSelect({ lines, line, onGo, onChange, ...rest }: SelectProps) {
  const { t } = useTranslation("orders");
  const [asking, setAsking] = useState<{ item: Option; same: Line } | null>(null);
  return (
    <>
      <OptionSelect
        {...rest}
        catalog="items"
        placeholder={t("form.addItemHint")}
        onChange={(item) => {
          const same = item === null ? undefined : lineWith(lines, item.id, line);
          if (item !== null && same !== undefined) setAsking({ item, same });
          else onChange?.(item);
        }}
      />
      {asking !== null && (
        <ProductTwice
          same={asking.same}
          onAccept={() => {
            onChange?.(asking.item);
            setAsking(null);
          }}
          onGo={() => {
            setAsking(null);
            onGo(asking.same.position);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
