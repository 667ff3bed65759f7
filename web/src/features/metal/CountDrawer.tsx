/** Count the vault: two people weigh each lot, and say why an alloy differs. An alloy left empty is not counted. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { useQuestion } from "@/shared/form/useQuestion";
import { asApiError } from "@/shared/http/ApiError";
import { formatGrams } from "@/shared/format/numbers";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { WeightField } from "@/entities/weight/WeightField";
import { toMilligrams } from "@/entities/weight/weights";
import { ChoiceItem, TEXT_MOST } from "./fields";
import { countVault, useInVault, useReloadMetal, type InVault } from "./metal.api";
import { COUNTS } from "@/entities/metal/paths";

const FIELDS = ["countedById", "witnessId", "counted", "reasons", "notes"] as const;

interface Values {
  countedById: number | null;
  witnessId: number | null;
  /** The counted grams, by `keyOf` the lot. */
  counted: Record<string, Typed>;
  /** Why an alloy differs, by its id. */
  reasons: Record<string, string>;
  notes: string;
}

const keyOf = ({ alloyId, lotId }: InVault) => `${alloyId}:${lotId ?? ""}`;

function byAlloy(rows: readonly InVault[]): [alloyId: number, rows: InVault[]][] {
  const alloys = new Set(rows.map(({ alloyId }) => alloyId));
  return [...alloys].map((alloy) => [alloy, rows.filter(({ alloyId }) => alloyId === alloy)]);
}

/** The rows of each alloy that was weighed. A lot that was left empty is not sent: the server names its alloy. */
function countedOf(expected: readonly InVault[], { counted, reasons }: Values) {
  const weighed = expected.filter((row) => (counted[keyOf(row)] ?? null) !== null);
  return byAlloy(weighed).map(([alloyId, rows]) => ({
    alloyId,
    reason: reasons[alloyId]?.trim() ?? "",
    lots: rows.map((row) => ({
      lotId: row.lotId,
      expectedGrams: row.expectedGrams,
      countedGrams: taken(counted[keyOf(row)] ?? null),
    })),
  }));
}

export default function CountDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["metal", "forms"]);
  const language = useLanguage();
  const reload = useReloadMetal();
  const { ask, question } = useQuestion();
  const { data: expected = [] } = useInVault();
  const alloys = byAlloy(expected);
  const lotName = ({ lotId, supplier, document, day }: InVault) =>
    lotId === null
      ? t("counts.noLot")
      : [supplier, document, day].filter((part) => part !== "" && part !== null).join(" · ");
  return (
    <FormDrawer<Values>
      title={t("counts.open")}
      name="metal/counts/new"
      saveLabel={t("counts.save")}
      initial={{ countedById: null, witnessId: null, counted: {}, reasons: {}, notes: "" }}
      fields={FIELDS}
      save={async (headers, values) => {
        const body = {
          countedById: taken(values.countedById),
          witnessId: taken(values.witnessId),
          alloys: countedOf(expected, values),
          notes: values.notes.trim(),
        };
        try {
          const count = await countVault(headers, body).catch(async (reason: unknown) => {
            const refusal = asApiError(reason);
            if (refusal.code !== "count_far") throw reason;
            const isRight = await ask({
              title: t("counts.far.title"),
              text: refusal.message,
              accept: t("counts.far.accept"),
              decline: t("receipt.decline"),
            });
            return isRight ? countVault(headers, { ...body, confirm: true }) : undefined;
          });
          if (count === undefined) return undefined;
          return { name: t("counts.one", { number: count.slipNumber }), path: COUNTS };
        } finally {
          reload();
        }
      }}
      describe={(field, values) => ({
        label: t(`field.${field}`),
        text: typeof values[field] === "object" ? "" : String(values[field]),
      })}
      top={question}
      onClose={onClose}
    >
      <ChoiceItem name="countedById" label={t("field.countedById")} catalog="users" />
      <ChoiceItem name="witnessId" label={t("field.witnessId")} catalog="users" />
      {alloys.map(([alloyId, rows]) => (
        <fieldset key={alloyId} className="ob-box ob-below">
          <legend>{rows[0]?.alloyName}</legend>
          {rows.map((row) => (
            <Form.Item
              key={keyOf(row)}
              name={["counted", keyOf(row)]}
              label={lotName(row)}
              extra={t("counts.expected", { grams: formatGrams(row.expectedGrams, language) })}
            >
              <WeightField fromZero />
            </Form.Item>
          ))}
          <Form.Item
            name={["reasons", String(alloyId)]}
            label={t("field.reason")}
            extra={t("counts.reasonHint")}
            rules={[
              ({ getFieldValue }) => ({
                validator: async (_, reason?: string) => {
                  if (reason?.trim()) return;
                  const differs = rows.flatMap((row) => {
                    const grams = getFieldValue(["counted", keyOf(row)]) as Typed | undefined;
                    const more = typeof grams === "number" ? grams - row.expectedGrams : 0;
                    const by = formatGrams(toMilligrams(Math.abs(more)), language);
                    const name = more < 0 ? "counts.missing" : "counts.more";
                    return more === 0 ? [] : [t(name, { lot: lotName(row), grams: by })];
                  });
                  if (differs.length > 0) {
                    throw new Error(t("counts.why", { lots: differs.join(", ") }));
                  }
                },
              }),
            ]}
          >
            <Input maxLength={TEXT_MOST} autoComplete="off" />
          </Form.Item>
        </fieldset>
      ))}
      <Form.Item name="notes" label={t("field.notes")}>
        <TextArea maxLength={TEXT_MOST} showCount autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}
