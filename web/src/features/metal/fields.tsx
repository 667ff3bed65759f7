/** Fields that the forms of metal share. */
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import PlusOutlined from "@ant-design/icons/es/icons/PlusOutlined";
import Button from "antd/es/button";
import Form, { type FormItemProps } from "antd/es/form";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Option } from "@/contract";
import { FINENESS } from "@/shared/form/FinenessField";
import { OptionSelect } from "@/shared/form/OptionSelect";
import type { OptionCatalog } from "@/shared/hooks/useOptions";
import { taken, type NumberRule, type Typed } from "@/shared/format/typedNumber";
import { WeightField } from "@/entities/weight/WeightField";

export const TEXT_MOST = 200;

/** A fineness that may be left out. */
export const ASSAY: NumberRule = { ...FINENESS, optional: true };

/** The value of a field that may be empty. */
export const orNull = (typed: Typed): number | null => (typed === null ? null : taken(typed));

interface Props {
  name: NonNullable<FormItemProps["name"]>;
  label: string;
}

/** A required choice from a catalog; the form holds its id. */
export function ChoiceItem({ name, label, catalog }: Props & { catalog: OptionCatalog }) {
  const { t } = useTranslation("forms");
  return (
    <Form.Item
      name={name}
      label={label}
      rules={[{ required: true, message: t("required") }]}
      getValueFromEvent={(option: Option | null) => option?.id ?? null}
    >
      <OptionSelect catalog={catalog} placeholder={label} />
    </Form.Item>
  );
}

/** A weight in a form. */
export function GramsItem({ name, label, required = true }: Props & { required?: boolean }) {
  return (
    <Form.Item name={name} label={label} required={required}>
      <WeightField required={required} />
    </Form.Item>
  );
}

interface RowsProps {
  name: string;
  /** The values of a new row. */
  blank: object;
  /** Renders the fields of the row at `index`. */
  children: (index: number) => ReactNode;
}

/** Rows of metal that can be added and removed, at least one. */
export function Rows({ name, blank, children }: RowsProps) {
  const { t } = useTranslation("metal");
  return (
    <Form.List name={name}>
      {(rows, { add, remove }) => (
        <div className="ob-stack ob-below">
          {rows.map(({ key, name: index }) => (
            <fieldset key={key} className="ob-box">
              <legend>{t("rows.one", { number: index + 1 })}</legend>
              {children(index)}
              {rows.length > 1 && (
                <Button icon={<DeleteOutlined aria-hidden />} onClick={() => remove(index)}>
                  {t("rows.remove", { number: index + 1 })}
                </Button>
              )}
            </fieldset>
          ))}
          <Button icon={<PlusOutlined aria-hidden />} onClick={() => add(blank)}>
            {t("rows.add")}
          </Button>
        </div>
      )}
    </Form.List>
  );
}
