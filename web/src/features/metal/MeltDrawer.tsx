/** Melt several alloys into one. The fine metal that goes in comes out. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import Switch from "antd/es/switch";
import { useTranslation } from "react-i18next";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { formatGrams } from "@/shared/format/numbers";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { ChoiceItem, GramsItem, Rows, TEXT_MOST } from "./fields";
import { melt, useReloadMetal } from "./metal.api";
import { LEDGER } from "@/entities/metal/paths";

const FIELDS = ["inputs", "alloyId", "grams", "reason"] as const;
const INPUT: Melted = { alloyId: null, grams: null, scrap: false };

interface Melted {
  alloyId: number | null;
  grams: Typed;
  /** Whether the metal comes from the scrap box, not from the vault. */
  scrap: boolean;
}

interface Values {
  inputs: Melted[];
  alloyId: number | null;
  grams: Typed;
  reason: string;
}

export default function MeltDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("metal");
  const language = useLanguage();
  const reload = useReloadMetal();
  return (
    <FormDrawer<Values>
      title={t("melt.title")}
      name="metal/meltings/new"
      saveLabel={t("melt.save")}
      initial={{ inputs: [INPUT], alloyId: null, grams: null, reason: "" }}
      fields={FIELDS}
      save={async (headers, { inputs, alloyId, grams, reason }) => {
        const melted = await melt(headers, {
          inputs: inputs.map((input) => ({
            alloyId: taken(input.alloyId),
            grams: taken(input.grams),
            scrap: input.scrap,
          })),
          alloyId: taken(alloyId),
          grams: taken(grams),
          reason: reason.trim(),
        });
        reload();
        const out = { alloy: melted.alloyName, grams: formatGrams(melted.grams, language) };
        return { name: t("melt.done", out), path: `${LEDGER}?kind=melt` };
      }}
      describe={(field, values) => ({
        label: t(`field.${field}`),
        text: field === "inputs" ? String(values.inputs.length) : String(values[field] ?? ""),
      })}
      onClose={onClose}
    >
      <h3>{t("field.inputs")}</h3>
      <Rows name="inputs" blank={INPUT}>
        {(index) => (
          <>
            <ChoiceItem name={[index, "alloyId"]} label={t("field.alloyId")} catalog="alloys" />
            <GramsItem name={[index, "grams"]} label={t("field.grams")} />
            <Form.Item name={[index, "scrap"]} label={t("field.scrap")} valuePropName="checked">
              <Switch />
            </Form.Item>
          </>
        )}
      </Rows>
      <h3>{t("melt.out")}</h3>
      <ChoiceItem name="alloyId" label={t("field.alloyId")} catalog="alloys" />
      <GramsItem name="grams" label={t("field.grams")} />
      <Form.Item name="reason" label={t("field.reason")} extra={t("melt.reasonHint")}>
        <Input maxLength={TEXT_MOST} autoComplete="off" />
      </Form.Item>
    </FormDrawer>
  );
}
