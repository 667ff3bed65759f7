/** Receive metal that was bought: a new lot in the vault. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import { FinenessField } from "@/shared/form/FinenessField";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { useQuestion } from "@/shared/form/useQuestion";
import { today } from "@/shared/format/plant";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { asApiError } from "@/shared/http/ApiError";
import { DayField } from "@/shared/form/DayField";
import { ASSAY, ChoiceItem, GramsItem, orNull, TEXT_MOST } from "./fields";
import { receive, useReloadMetal, type Lot } from "./metal.api";
import { LOTS } from "@/entities/metal/paths";

const FIELDS = ["alloyId", "grams", "supplier", "document", "assay", "day"] as const;

/** The refusals that the user may overrule. */
const ASKED = ["same_document", "receipt_far"] as const;

interface Values {
  alloyId: number | null;
  grams: Typed;
  supplier: string;
  document: string;
  assay: Typed;
  day: string;
}

export default function ReceiptDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["metal", "forms"]);
  const reload = useReloadMetal();
  const { ask, question } = useQuestion();
  return (
    <FormDrawer<Values>
      title={t("receipt.title")}
      name="metal/receipts/new"
      saveLabel={t("receipt.save")}
      initial={{
        alloyId: null,
        grams: null,
        supplier: "",
        document: "",
        assay: null,
        day: today(),
      }}
      fields={FIELDS}
      save={async (headers, { alloyId, grams, supplier, document, assay, day }) => {
        const body = {
          alloyId: taken(alloyId),
          grams: taken(grams),
          supplier: supplier.trim(),
          document: document.trim(),
          assay: orNull(assay),
          day,
        };
        let lot: Lot;
        try {
          lot = await receive(headers, body);
        } catch (reason) {
          const refusal = asApiError(reason);
          const asked = ASKED.find((code) => code === refusal.code);
          if (asked === undefined) throw reason;
          const isRight = await ask({
            title: t(`receipt.${asked}.title`),
            text: refusal.message,
            accept: t(`receipt.${asked}.accept`),
            decline: t("receipt.decline"),
          });
          if (!isRight) return undefined;
          lot = await receive(headers, { ...body, confirm: true });
        }
        reload();
        return { name: `${lot.supplier} · ${lot.alloyName}`, path: LOTS };
      }}
      describe={(field, values) => ({
        label: t(`field.${field}`),
        text: String(values[field] ?? ""),
      })}
      top={question}
      onClose={onClose}
    >
      <ChoiceItem name="alloyId" label={t("field.alloyId")} catalog="alloys" />
      <GramsItem name="grams" label={t("field.grams")} />
      <Form.Item
        name="supplier"
        label={t("field.supplier")}
        rules={[{ required: true, whitespace: true, message: t("forms:required") }]}
      >
        <Input maxLength={TEXT_MOST} autoComplete="off" />
      </Form.Item>
      <Form.Item name="document" label={t("field.document")}>
        <Input maxLength={TEXT_MOST} autoComplete="off" />
      </Form.Item>
      <div className="ob-fields ob-form-pair">
        <Form.Item name="assay" label={t("field.assay")}>
          <FinenessField rule={ASSAY} />
        </Form.Item>
        <Form.Item name="day" label={t("field.day")}>
          <DayField allowClear={false} />
        </Form.Item>
      </div>
    </FormDrawer>
  );
}
