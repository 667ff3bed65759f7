/** Render the fields of a catalog's definition as form items, by section. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import Switch from "antd/es/switch";
import { useTranslation } from "react-i18next";
import { Folded } from "@/shared/form/Folded";
import { NumberField } from "@/shared/form/NumberField";
import { priceRule } from "@/shared/format/money";
import type { ExplainedName, Field, FieldName, Section } from "../catalog";
import "./form.css";

/** Fields that need an explanation. It is shown while the field has the focus. */
const EXPLAINED: readonly ExplainedName[] = [
  "quinto",
  "taxSectionId",
  "originCriterion",
  "satProductCode",
  "certifierRole",
  "priority",
  "antique",
  "fineness",
  "waxRatio",
  "netGrams",
  "processIds",
  "weighs",
  "allowedLoss",
  "recovers",
  "gains",
];
const isExplained = (name: FieldName): name is ExplainedName =>
  EXPLAINED.some((each) => each === name);

export const SHORT = 200;
export const LONG = 4_000;

export function FormFields<V extends object>({ sections }: { sections: readonly Section<V>[] }) {
  const { t } = useTranslation("catalogs");
  return sections.map(({ title, folded = false, fields }, index) => {
    const items = fields.map((field) => <OneField key={field.name} field={field} />);
    const name = title === undefined ? undefined : t(`section.${title}`);
    if (folded && name !== undefined) {
      return (
        <Folded key={title} title={name}>
          <div className="ob-fields">{items}</div>
        </Folded>
      );
    }
    return (
      <section key={title ?? index} className="ob-fields" aria-label={name}>
        {name !== undefined && <h3>{name}</h3>}
        {items}
      </section>
    );
  });
}

function OneField<V extends object>({ field }: { field: Field<V> }) {
  const { t } = useTranslation(["catalogs", "forms"]);
  const name: FieldName = field.name;
  const label = t(`field.${name}`);
  const width = field.half === true ? "ob-fields__half" : "ob-whole";
  const item = {
    name,
    label,
    ...(isExplained(name)
      ? { className: `${width} ob-explained`, extra: t(`explained.${name}`) }
      : { className: width }),
  };
  const required = { required: true, message: t("forms:required") };
  switch (field.kind) {
    case "part":
      return <field.Part label={label} />;
    case "choice":
      return (
        <Form.Item {...item} rules={field.required === true ? [required] : []}>
          <field.Part />
        </Form.Item>
      );
    case "switch":
      return (
        <Form.Item {...item} valuePropName="checked">
          <Switch />
        </Form.Item>
      );
    case "number":
      return (
        <Form.Item {...item}>
          <NumberField rule={field} />
        </Form.Item>
      );
    case "price":
      return (
        <Form.Item {...item}>
          <PriceField currency={field.currency} />
        </Form.Item>
      );
    case "long":
      return (
        <Form.Item {...item}>
          <TextArea maxLength={field.most ?? LONG} autoSize={{ minRows: 2, maxRows: 10 }} />
        </Form.Item>
      );
    case "text":
      return (
        <Form.Item
          {...item}
          rules={[
            ...(field.required === true ? [{ ...required, whitespace: true }] : []),
            ...(field.pattern === undefined
              ? []
              : [{ pattern: field.pattern, message: t(`wrong.${field.name as "code"}`) }]),
            ...(field.usual === undefined
              ? []
              : [
                  {
                    pattern: field.usual,
                    warningOnly: true,
                    message: t(`unusual.${field.name as "taxId"}`),
                  },
                ]),
          ]}
        >
          <Input
            maxLength={field.most ?? SHORT}
            autoComplete="off"
            {...(field.digits === true ? { inputMode: "numeric" as const } : {})}
          />
        </Form.Item>
      );
  }
}

/** Price field. The form gives it value, onChange and id. */
function PriceField<V extends object>({ currency, ...given }: { currency: (values: V) => string }) {
  const form = Form.useFormInstance<V>();
  const its = Form.useWatch((values: V) => currency(values) ?? "", form) ?? "";
  return <NumberField {...given} rule={priceRule(its)} suffix={its || "\u00a0"} />;
}
