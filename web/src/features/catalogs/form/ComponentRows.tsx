/**
 * Rows of a product's components: component, material and notes, in an order that the user chooses.
 */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import type { Option } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { Rows } from "./Rows";

const MOST = 200;

/** The names are display only; the server knows them. */
export interface ComponentRow {
  componentId: number | null;
  componentName: string;
  materialId: number | null;
  materialName: string;
  notes: string;
}

export function ComponentRows() {
  const { t } = useTranslation(["catalogs", "forms"]);
  const form = Form.useFormInstance();
  const rows = (): ComponentRow[] => form.getFieldValue("components") ?? [];
  const choice = (index: number, name: "component" | "material") => ({
    getValueFromEvent: (option: Option | null) => {
      form.setFieldValue(["components", index, `${name}Name`], option?.name ?? "");
      return option?.id ?? null;
    },
  });
  return (
    <Rows
      name="components"
      one={t("component.one")}
      addLabel={t("component.add")}
      most={MOST}
      ordered
      blank={(): ComponentRow => ({
        componentId: null,
        componentName: "",
        materialId: null,
        materialName: "",
        notes: "",
      })}
    >
      {(index) => (
        <>
          <Form.Item
            name={[index, "componentId"]}
            label={t("component.one")}
            className="ob-fields__half"
            {...choice(index, "component")}
            rules={[
              { required: true, message: t("forms:required") },
              {
                validator: async (_rule, id: number | null) => {
                  if (isRepeated(rows(), index, id)) throw new Error(t("component.repeated"));
                },
              },
              {
                warningOnly: true,
                validator: async (_rule, id: number | null) => {
                  if (isThereOtherwise(rows(), index, id)) throw new Error(t("component.repeated"));
                },
              },
            ]}
          >
            <OptionSelect
              catalog="components"
              creates="components"
              placeholder={t("component.choose")}
              valueName={rows()[index]?.componentName || undefined}
            />
          </Form.Item>
          <Form.Item
            name={[index, "materialId"]}
            label={t("component.material")}
            className="ob-fields__half"
            {...choice(index, "material")}
          >
            <OptionSelect
              catalog="materials"
              creates="materials"
              allowClear
              placeholder={t("component.chooseMaterial")}
              valueName={rows()[index]?.materialName || undefined}
            />
          </Form.Item>
          <Form.Item name={[index, "notes"]} label={t("component.notes")} className="ob-whole">
            <Input maxLength={MOST} autoComplete="off" />
          </Form.Item>
        </>
      )}
    </Rows>
  );
}

/** Whether a row above has the same component, material and notes. The form refuses this. */
export function isRepeated(rows: ComponentRow[], index: number, id: number | null): boolean {
  const own = rows[index];
  return above(rows, index, id).some(
    ({ materialId, notes }) => materialId === own?.materialId && notes === own.notes,
  );
}

/**
 * Whether a row above has the same component with another material or other notes. The form warns
 * about this.
 */
export function isThereOtherwise(rows: ComponentRow[], index: number, id: number | null): boolean {
  return above(rows, index, id).length > 0 && !isRepeated(rows, index, id);
}

const above = (rows: ComponentRow[], index: number, id: number | null) =>
  rows.slice(0, index).filter((row) => id !== null && row?.componentId === id);
