/**
 * The small drawer that creates a catalog record if a form lacks it. The record's other fields can
 * be filled in later.
 */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import type { Option } from "@/contract";
import { entryPath } from "@/shared/catalogPaths";
import { plantCurrency } from "@/shared/format/plant";
import { call, requestAt } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { FormDrawer } from "./FormDrawer";
import { TermSelect } from "./TermSelect";

/** The catalogs whose records need little more than a name. */
export type SmallCatalog = "components" | "materials" | "customers";

interface Values {
  name: string;
  description: string;
  currency: string;
}

/** The fields of each catalog beside the name. */
const BESIDE = {
  components: [],
  materials: ["description"],
  customers: ["currency"],
} as const satisfies Record<SmallCatalog, readonly (keyof Values)[]>;
const LONGEST_NAME = 200;

interface Props {
  catalog: SmallCatalog;
  name: string;
  onMade: (made: Option) => void;
  onClose: () => void;
}

export default function NewEntry({ catalog, name, onMade, onClose }: Props) {
  const { t } = useTranslation(["catalogs", "forms"]);
  const { reload } = useAnswers();
  const required = { required: true, whitespace: true, message: t("forms:required") };
  const fields: readonly (keyof Values)[] = ["name", ...BESIDE[catalog]];

  async function save(headers: { "Idempotency-Key": string }, values: Values) {
    const body = Object.fromEntries(fields.map((field) => [field, values[field].trim()]));
    const made = await call(requestAt<Option>("post", RESOURCES[catalog], { body, headers }));
    void reload(under(RESOURCES[catalog]));
    onMade({ id: made.id, name: made.name });
    return { name: made.name, path: entryPath(catalog, made.id) };
  }

  return (
    <FormDrawer<Values>
      title={t(`${catalog}.add`)}
      name={`${catalog}/small`}
      initial={{ name, description: "", currency: plantCurrency() }}
      fields={fields}
      // No draft: the next missing record has another name.
      secret={fields}
      save={save}
      describe={(field, values) => ({ label: t(`field.${field}`), text: values[field] })}
      width={420}
      onClose={onClose}
    >
      <Form.Item name="name" label={t("field.name")} rules={[required]}>
        <Input maxLength={LONGEST_NAME} autoComplete="off" />
      </Form.Item>
      {catalog === "materials" && (
        <Form.Item name="description" label={t("field.description")}>
          <Input autoComplete="off" />
        </Form.Item>
      )}
      {catalog === "customers" && (
        <Form.Item name="currency" label={t("field.currency")} rules={[required]}>
          <TermSelect terms="currencies" withCode />
        </Form.Item>
      )}
      <p className="ob-quiet">{t("form.smallHint")}</p>
    </FormDrawer>
  );
}
