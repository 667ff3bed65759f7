/** Draws the fields of a catalog's table as form items, section by section. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import InputNumber from "antd/es/input-number";
import Switch from "antd/es/switch";
import { useTranslation } from "react-i18next";
import type { Field, FieldName, Section } from "../catalog";
import "./form.css";

export const SHORT = 200;
export const LONG = 4_000;

export function FormFields<V extends object>({ sections }: { sections: readonly Section<V>[] }) {
  const { t } = useTranslation("catalogs");
  return sections.map(({ title, fields }, index) => (
    <section
      key={title ?? index}
      className="ob-fields"
      {...(title === undefined ? {} : { "aria-label": t(`section.${title}`) })}
    >
      {title !== undefined && <h3>{t(`section.${title}`)}</h3>}
      {fields.map((field) => (
        <OneField key={field.name} field={field} />
      ))}
    </section>
  ));
}

function OneField<V extends object>({ field }: { field: Field<V> }) {
  const { t } = useTranslation(["catalogs", "forms"]);
  const label = t(`field.${field.name as FieldName}`);
  const className = field.half === true ? "ob-fields__half" : "ob-fields__whole";
  const item = { name: field.name as never, label, className };
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
        <Form.Item
          {...item}
          rules={[
            required,
            {
              type: "number",
              min: field.least,
              max: field.most,
              message: t("form.between", { least: field.least, most: field.most }),
            },
            ...(field.decimals === undefined
              ? []
              : [
                  {
                    validator: fitsDecimals(
                      field.decimals,
                      t("form.decimals", { decimals: field.decimals }),
                    ),
                  },
                ]),
          ]}
        >
          <InputNumber
            className="ob-fields__number"
            {...(field.decimals === undefined ? { precision: 0 } : { step: 0.01 })}
            inputMode={field.decimals === undefined ? "numeric" : "decimal"}
          />
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

/** More decimals than are stored would be lost without a word. */
function fitsDecimals(decimals: number, message: string) {
  return async (_rule: unknown, value: unknown): Promise<void> => {
    if (typeof value !== "number") return;
    const factor = 10 ** decimals;
    if (Math.abs(Math.round(value * factor) / factor - value) > 1e-9) throw new Error(message);
  };
}
