/** Quantity, dates and notes of one line; the same in a new order's row and in a line's drawer. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import { NumberField } from "@/shared/form/NumberField";
import { DayField } from "@/shared/ui/DayField";
import { NOTES_MOST, PIECES } from "./values";
import "./form.css";

const DATES = ["shipmentDate", "deliveryDate", "shippingDate"] as const;

/** `path` is where the line stands in the form's values: empty for a form of its own. */
export function LineFields({ path }: { path: readonly number[] }) {
  const { t } = useTranslation(["orders", "forms"]);
  return (
    <>
      <Form.Item
        name={[...path, "quantity"]}
        label={t("field.quantity")}
        className="ob-line-field ob-line-field--quantity"
      >
        <NumberField rule={PIECES} words={{ missing: t("forms:number.howMany") }} />
      </Form.Item>
      {DATES.map((name) => (
        <Form.Item
          key={name}
          name={[...path, name]}
          label={t(`field.${name}`)}
          className="ob-line-field"
        >
          <DayField />
        </Form.Item>
      ))}
      <Form.Item
        name={[...path, "notes"]}
        label={t("field.lineNotes")}
        className="ob-line-field ob-line-field--notes"
      >
        <Input maxLength={NOTES_MOST} autoComplete="off" />
      </Form.Item>
    </>
  );
}
