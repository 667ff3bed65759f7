/** Send dust and scrap to the refinery. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { Select } from "@/shared/form/Select";
import { formatGrams } from "@/shared/format/numbers";
import { formatDay } from "@/shared/format/plant";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { useAccountName } from "./accounts";
import { ChoiceItem, GramsItem, orNull, Rows, TEXT_MOST } from "./fields";
import { sendToRefine, useAccountsOf, useReloadMetal } from "./metal.api";
import { REFINING } from "@/entities/metal/paths";

const FIELDS = ["partner", "alloyId", "sources", "expectedFineGrams", "notes"] as const;

/** The value of the scrap box in the choice of a source; a process has its id. */
const SCRAP = 0;

interface Source {
  productionProcessId: number | null;
  grams: Typed;
}

interface Values {
  partner: string;
  alloyId: number | null;
  sources: Source[];
  expectedFineGrams: Typed;
  notes: string;
}

const SOURCE: Source = { productionProcessId: null, grams: null };

export default function RefineDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["metal", "forms"]);
  const reload = useReloadMetal();
  return (
    <FormDrawer<Values>
      title={t("refining.send")}
      name="metal/refinings/new"
      saveLabel={t("refining.send")}
      initial={{
        partner: "",
        alloyId: null,
        sources: [SOURCE],
        expectedFineGrams: null,
        notes: "",
      }}
      fields={FIELDS}
      save={async (headers, { partner, alloyId, sources, expectedFineGrams, notes }) => {
        const sent = await sendToRefine(headers, {
          partner: partner.trim(),
          alloyId: taken(alloyId),
          sources: sources.map(({ productionProcessId, grams }) => ({
            productionProcessId: productionProcessId === SCRAP ? null : productionProcessId,
            grams: taken(grams),
          })),
          expectedFineGrams: orNull(expectedFineGrams),
          notes: notes.trim(),
        });
        reload();
        const name = t("refining.one", { partner: sent.partner, day: formatDay(sent.sentAt) });
        return { name, path: `${REFINING}?record=${sent.id}` };
      }}
      describe={(field, values) => ({
        label: t(`field.${field}`),
        text: field === "sources" ? String(values.sources.length) : String(values[field] ?? ""),
      })}
      onClose={onClose}
    >
      <Form.Item
        name="partner"
        label={t("field.partner")}
        rules={[{ required: true, whitespace: true, message: t("forms:required") }]}
      >
        <Input maxLength={TEXT_MOST} autoComplete="off" />
      </Form.Item>
      <ChoiceItem name="alloyId" label={t("field.alloyId")} catalog="alloys" />
      <h3>{t("field.sources")}</h3>
      <Rows name="sources" blank={SOURCE}>
        {(index) => (
          <>
            <SourceItem index={index} />
            <GramsItem name={[index, "grams"]} label={t("field.grams")} />
          </>
        )}
      </Rows>
      <GramsItem name="expectedFineGrams" label={t("field.expectedFineGrams")} required={false} />
      <p className="ob-quiet ob-below">{t("refining.expectedHint")}</p>
      <Form.Item name="notes" label={t("field.notes")}>
        <TextArea maxLength={TEXT_MOST} showCount autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}

/** The dust of a process or the scrap box, each with what it holds of the chosen alloy. */
function SourceItem({ index }: { index: number }) {
  const { t } = useTranslation(["metal", "forms"]);
  const language = useLanguage();
  const nameOf = useAccountName();
  const alloyId = Form.useWatch<number | null>("alloyId", { preserve: true }) ?? null;
  const accounts = [...useAccountsOf("dust"), ...useAccountsOf("scrap")];
  const options = accounts.flatMap((account) => {
    const held = account.balances.find((balance) => balance.alloyId === alloyId);
    if (held === undefined) return [];
    const label = `${nameOf(account)} · ${formatGrams(held.grams, language)}`;
    return [{ value: account.productionProcessId ?? SCRAP, label }];
  });
  return (
    <Form.Item
      name={[index, "productionProcessId"]}
      label={t("field.source")}
      rules={[{ required: true, message: t("forms:required") }]}
    >
      <Select<number>
        placeholder={t(alloyId === null ? "refining.alloyFirst" : "refining.chooseSource")}
        notFoundContent={<span className="ob-quiet">{t("refining.nothing")}</span>}
        options={options}
      />
    </Form.Item>
  );
}
