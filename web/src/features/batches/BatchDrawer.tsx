/** Form of a batch: its process (new batches only), name, alloy, wax, button and notes. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Batch, Option } from "@/contract";
import { batchPath } from "@/entities/batches/batches.api";
import { useBatchTitle } from "@/entities/batches/useBatchTitle";
import { pick } from "@/shared/form/changes";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { formatNumber } from "@/shared/format/numbers";
import type { Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { useSignedIn } from "@/shared/session/session";
import { WeightField } from "@/entities/weight/WeightField";
import { changeBatch, createBatch, loadBatch } from "./batches.api";

interface Values {
  productionProcessId: number | null;
  productionProcessName: string;
  name: string;
  alloyId: number | null;
  alloyName: string;
  waxGrams: Typed;
  buttonGrams: Typed;
  notes: string;
}

const FIELDS = [
  "productionProcessId",
  "name",
  "alloyId",
  "waxGrams",
  "buttonGrams",
  "notes",
] as const;
const WEIGHTS = ["waxGrams", "buttonGrams"] as const;
const NAME_MOST = 40;
const NOTES_MOST = 200;

const valuesOf = (batch: Batch): Values => ({
  productionProcessId: batch.productionProcessId,
  productionProcessName: batch.productionProcessName,
  name: batch.name,
  alloyId: batch.alloyId,
  alloyName: batch.alloyName ?? "",
  waxGrams: batch.waxGrams,
  buttonGrams: batch.buttonGrams,
  notes: batch.notes,
});

/**
 * Return the weight, or null if the field is empty. The form is sent only if its weights are
 * numbers or empty.
 */
const gramsOf = (typed: Typed) => (typeof typed === "number" ? typed : null);

interface Props {
  /** Absent for a new batch. */
  batch?: Batch;
  onSaved: (batch: Batch) => void;
  onClose: () => void;
}

export default function BatchDrawer({ batch, onSaved, onClose }: Props) {
  const { t } = useTranslation("batches");
  const language = useLanguage();
  const titleOf = useBatchTitle();
  const own = useSignedIn().user.productionProcessIds;
  // The batch that this form is based on. Live changes must not replace it while the user types.
  const known = useRef(batch);
  const blank: Values = {
    productionProcessId: own.length === 1 ? (own[0] ?? null) : null,
    productionProcessName: "",
    name: "",
    alloyId: null,
    alloyName: "",
    waxGrams: null,
    buttonGrams: null,
    notes: "",
  };

  function textOf(field: (typeof FIELDS)[number], values: Values): string {
    if (field === "productionProcessId") return values.productionProcessName;
    if (field === "alloyId") return values.alloyName;
    const value = values[field];
    return typeof value === "number" ? formatNumber(value, language) : (value ?? "");
  }

  return (
    <FormDrawer<Values>
      title={batch === undefined ? t("list.new") : titleOf(batch)}
      name={`batches/${batch?.id ?? "new"}`}
      initial={batch === undefined ? blank : valuesOf(batch)}
      fields={FIELDS}
      save={async (headers, values, touched) => {
        const { productionProcessId, alloyId } = values;
        const details = {
          name: values.name.trim(),
          alloyId,
          waxGrams: gramsOf(values.waxGrams),
          buttonGrams: gramsOf(values.buttonGrams),
          notes: values.notes.trim(),
        };
        const saved =
          known.current === undefined
            ? await createBatch(headers, {
                ...details,
                productionProcessId: Number(productionProcessId),
              })
            : await changeBatch(headers, known.current, pick(details, touched));
        onSaved(saved);
        return { name: titleOf(saved), path: batchPath(saved.id) };
      }}
      {...(batch === undefined
        ? {}
        : {
            reload: async () => {
              const now = await loadBatch(batch.id);
              known.current = now;
              return valuesOf(now);
            },
          })}
      describe={(field, values) => ({
        label: t(`field.${field as (typeof FIELDS)[number]}`),
        text: textOf(field as (typeof FIELDS)[number], values),
      })}
      onClose={onClose}
    >
      {batch === undefined && (
        <Form.Item
          name="productionProcessId"
          label={t("field.productionProcessId")}
          rules={[{ required: true, message: t("field.required") }]}
          getValueFromEvent={(option: Option | null) => option?.id ?? null}
        >
          <OptionSelect catalog="production-processes" placeholder={t("field.chooseProcess")} />
        </Form.Item>
      )}
      <Form.Item name="name" label={t("field.name")}>
        <Input maxLength={NAME_MOST} placeholder={t("field.exampleName")} />
      </Form.Item>
      <Form.Item
        name="alloyId"
        label={t("field.alloyId")}
        getValueFromEvent={(option: Option | null) => option?.id ?? null}
      >
        <OptionSelect
          catalog="alloys"
          allowClear
          placeholder={t("field.chooseAlloy")}
          valueName={batch?.alloyName ?? undefined}
        />
      </Form.Item>
      {WEIGHTS.map((field) => (
        <Form.Item
          key={field}
          name={field}
          label={t(`field.${field}`)}
          extra={field === "buttonGrams" && t("field.buttonHint")}
        >
          <WeightField fromScale={field === "waxGrams"} />
        </Form.Item>
      ))}
      <Form.Item name="notes" label={t("notes")}>
        <Input maxLength={NOTES_MOST} />
      </Form.Item>
    </FormDrawer>
  );
}
