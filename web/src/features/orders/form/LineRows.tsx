/** The lines of a new order: a product search adds one, each can be removed until it is saved. */
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Option } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { PictureField } from "@/shared/picture/PictureField";
import { formatNumber } from "@/shared/format/numbers";
import { countable } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { LineFields } from "./LineFields";
import { ProductTwice } from "./ProductTwice";
import { nextLine, PIECES, type LineValues } from "./values";
import "./form.css";

export function LineRows() {
  const { t } = useTranslation("orders");
  const form = Form.useFormInstance();
  return (
    <Form.List
      name="items"
      rules={[
        {
          validator: async (_rule, items: LineValues[] | undefined) => {
            if ((items ?? []).length === 0) throw new Error(t("form.itemsMissing"));
          },
        },
      ]}
    >
      {(rows, { add, remove }, { errors }) => (
        <>
          <ol className="ob-lines">
            {rows.map(({ key, name }) => (
              <li key={key} className="ob-lines__row">
                <span className="ob-lines__number" aria-hidden>
                  {name + 1}
                </span>
                <Form.Item
                  name={[name, "itemId"]}
                  label={t("field.item")}
                  className="ob-line-field ob-line-field--item"
                >
                  <ItemName name={itemName(form.getFieldValue("items"), name)} />
                </Form.Item>
                <LineFields path={[name]} />
                <Button
                  className="ob-lines__remove"
                  type="text"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t("form.remove", {
                    number: name + 1,
                    item: itemName(form.getFieldValue("items"), name),
                  })}
                  onClick={() => remove(name)}
                />
                <PictureField path={[name]} record={undefined} compact />
              </li>
            ))}
          </ol>
          {rows.length === 0 && <p className="ob-lines__none">{t("form.noLines")}</p>}
          <div className="ob-lines__add">
            <AddProduct onAdd={add} />
            <Total />
          </div>
          <div role="alert">
            <Form.ErrorList errors={errors} />
          </div>
        </>
      )}
    </Form.List>
  );
}

function AddProduct({ onAdd }: { onAdd: (line: LineValues) => void }) {
  const { t } = useTranslation("orders");
  const form = Form.useFormInstance();
  const [asking, setAsking] = useState<{ item: Option; index: number } | null>(null);
  const lines = () => form.getFieldValue("items") as LineValues[];
  const addLine = (item: Option) => onAdd(nextLine(item, lines().at(-1)));
  const same = asking === null ? undefined : lines()[asking.index];
  return (
    <>
      <OptionSelect
        catalog="items"
        label={t("form.addItem")}
        placeholder={t("form.addItemHint")}
        value={null}
        onChange={(item) => {
          if (item === null) return;
          const index = lines().findIndex(({ itemId }) => itemId === item.id);
          if (index === -1) addLine(item);
          else setAsking({ item, index });
        }}
      />
      {asking !== null && same !== undefined && (
        <ProductTwice
          same={{ ...same, number: asking.index + 1 }}
          accept={t("twice.another")}
          onAccept={() => {
            addLine(asking.item);
            setAsking(null);
          }}
          onGo={() => {
            setAsking(null);
            form.scrollToField(["items", asking.index, "quantity"], {
              focus: true,
              block: "center",
            });
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** The product is shown, not typed: it came from the search. */
function ItemName({ name, id }: { name: string; id?: string }) {
  return (
    <span className="ob-lines__item" id={id}>
      {name}
    </span>
  );
}

function itemName(items: unknown, index: number): string {
  return (items as (LineValues | undefined)[])[index]?.itemName ?? "";
}

function Total() {
  const { t } = useTranslation("orders");
  const language = useLanguage();
  const items = Form.useWatch<LineValues[] | undefined>("items") ?? [];
  const counts = items.map((line) => countable(line?.quantity, PIECES));
  // Of a line that cannot be taken nobody knows how many there will be.
  const pieces = counts.every((count) => count !== null)
    ? counts.reduce((sum, count) => sum + count, 0)
    : null;
  if (items.length === 0) return null;
  return (
    <p className="ob-lines__total">
      {t("form.total")}: {t("linesCount", { count: items.length })} ·{" "}
      <strong>
        {pieces === null
          ? t("none")
          : t("pieces", { count: pieces, formatted: formatNumber(pieces, language) })}
      </strong>
    </p>
  );
}
