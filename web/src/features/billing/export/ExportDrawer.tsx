/** Edit the export data of a bill: terms, boxes, contents and weights. */
import PlusOutlined from "@ant-design/icons/es/icons/PlusOutlined";
import Button from "antd/es/button";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Delivery } from "@/contract";
import { DayField } from "@/shared/form/DayField";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { NumberField } from "@/shared/form/NumberField";
import { Select } from "@/shared/form/Select";
import { formatNumber } from "@/shared/format/numbers";
import { useAnswers } from "@/shared/http/data";
import { useLanguage } from "@/shared/i18n";
import { useBillName } from "../BillParts";
import { loadBill, saveExport } from "../billing.api";
import { billPath } from "../paths";
import { BILL_LISTS } from "../useBillAction";
import { BoxFields } from "./BoxFields";
import {
  boxOf,
  exportBody,
  FIELDS,
  INCOTERMS,
  leftOf,
  metalOf,
  MOST_BOXES,
  PAYMENT_FORMS,
  PLACE_MOST,
  RATE,
  sumOf,
  valuesOf,
  type BoxValues,
  type ExportValues,
} from "./boxes";

const WIDTH = 760;

export default function ExportDrawer({ bill, onClose }: { bill: Delivery; onClose: () => void }) {
  const { t } = useTranslation("billing");
  const answers = useAnswers();
  const nameOf = useBillName();
  // The version that this form is based on. Later changes are handled on saving.
  const known = useRef(bill);

  async function reload() {
    known.current = await loadBill(bill.id);
    return valuesOf(known.current);
  }

  return (
    <FormDrawer<ExportValues>
      title={t("export.edit")}
      name={`bill/${bill.id}/export`}
      initial={valuesOf(bill)}
      fields={FIELDS}
      save={async (headers, values) => {
        const saved = await saveExport(headers, known.current, exportBody(values));
        answers.afterWrite(BILL_LISTS);
        return { name: nameOf(saved), path: billPath(saved.id) };
      }}
      reload={reload}
      describe={(field, values) => ({
        label: t(`export.${field}`),
        text:
          field === "boxes"
            ? t("export.boxCount", { count: values.boxes.length })
            : String(values[field] ?? ""),
      })}
      width={WIDTH}
      onClose={onClose}
    >
      <div className="ob-fields ob-form-pair">
        <Form.Item
          name="incoterm"
          label={t("export.incoterm")}
          normalize={(value?: string) => value ?? ""}
        >
          <Select
            allowClear
            showSearch
            placeholder={t("export.noIncoterm")}
            options={INCOTERMS.map((value) => ({
              value,
              label: `${value} · ${t(`incoterms.${value}`)}`,
            }))}
          />
        </Form.Item>
        <Form.Item name="place" label={t("export.place")}>
          <Input maxLength={PLACE_MOST} autoComplete="off" />
        </Form.Item>
        <Form.Item name="usdRate" label={t("export.usdRate")}>
          <NumberField rule={RATE} suffix="MXN" />
        </Form.Item>
        <Form.Item name="rateDay" label={t("export.rateDay")}>
          <DayField />
        </Form.Item>
        <Form.Item
          name="paymentForm"
          label={t("export.paymentForm")}
          normalize={(value?: string) => value ?? ""}
        >
          <Select
            allowClear
            placeholder={t("export.paidLater")}
            options={PAYMENT_FORMS.map((value) => ({
              value,
              label: `${value} · ${t(`paymentForms.${value}`)}`,
            }))}
          />
        </Form.Item>
      </div>
      <Boxes bill={bill} />
    </FormDrawer>
  );
}

function Boxes({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("billing");
  const boxes = Form.useWatch<BoxValues[]>("boxes", { preserve: true }) ?? [];
  const left = leftOf(bill, boxes);
  return (
    <Form.List name="boxes">
      {(fields, { add, remove }) => (
        <>
          {fields.map(({ key, name }) => (
            <BoxFields
              key={key}
              name={name}
              left={left}
              metalKg={metalOf(bill.lines, boxes[name]?.lines ?? [])}
              onRemove={() => remove(name)}
            />
          ))}
          <p className="ob-below ob-strong" role="status">
            <Packed bill={bill} count={boxes.length} sums={sumOf(boxes, bill.lines)} />
          </p>
          {fields.length < MOST_BOXES && (
            <Button icon={<PlusOutlined aria-hidden />} onClick={() => add(boxOf(left))}>
              {t("export.addBox")}
            </Button>
          )}
        </>
      )}
    </Form.List>
  );
}

interface PackedProps {
  bill: Delivery;
  /** Number of boxes. */
  count: number;
  sums: Pick<Delivery["export"], "pieces" | "netKg" | "grossKg">;
}

/** How many of the bill's pieces are packed, in how many boxes, and their weight. */
export function Packed({ bill, count, sums }: PackedProps) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  const { pieces, netKg, grossKg } = sums;
  const total = bill.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const number = (value: number) => formatNumber(value, language);
  return (
    <>
      {t("export.boxCount", { count })} ·{" "}
      <span className={pieces === total || count === 0 ? "" : "ob-wrong"}>
        {t("export.packed", { packed: number(pieces), total: number(total) })}
      </span>{" "}
      · {t("export.weights", { net: number(netKg), gross: number(grossKg) })}
    </>
  );
}
