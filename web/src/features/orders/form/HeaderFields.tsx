/** Fields of an order's header, for a new order and for the edit drawer. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Option } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { DayField } from "@/shared/form/DayField";
import { typedAt } from "@/shared/form/FormParts";
import { ORDERS } from "../paths";
import { DATES, NOTES_MOST, type HeaderValues } from "./values";
import "./form.css";

const PO_MOST = 200;

export function HeaderFields() {
  const { t } = useTranslation("orders");
  const form = Form.useFormInstance<HeaderValues>();
  const required = { required: true, message: t("form.required") };
  return (
    <div className="ob-header-fields">
      <Form.Item
        name="customerId"
        label={t("field.customer")}
        rules={[required]}
        getValueFromEvent={(option: Option | null) => {
          form.setFieldValue("customerName", option?.name ?? "");
          return option?.id ?? null;
        }}
      >
        <OptionSelect
          catalog="customers"
          creates="customers"
          placeholder={t("form.chooseCustomer")}
          valueName={typedAt(form, "customerName") || undefined}
        />
      </Form.Item>
      <Form.Item
        name="customerSalesOrderId"
        label={t("field.po")}
        rules={[{ required: true, whitespace: true, message: t("form.poRequired") }]}
        extra={<Taken />}
      >
        <Input maxLength={PO_MOST} autoComplete="off" />
      </Form.Item>
      <Form.Item name="salesOrderDate" label={t("field.date")} rules={[required]}>
        <DayField allowClear={false} />
      </Form.Item>
      <Form.Item name="notes" label={t("field.notes")} className="ob-whole">
        <TextArea maxLength={NOTES_MOST} showCount autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
    </div>
  );
}

/**
 * A link to the order that already has this PO#. This is the only possible error of a PO# that is
 * not empty.
 */
function Taken() {
  const { t } = useTranslation("orders");
  return (
    // `shouldUpdate` is a function, because a new error changes no value.
    <Form.Item noStyle shouldUpdate={() => true}>
      {({ getFieldError, getFieldValue }) => {
        const po = String(getFieldValue("customerSalesOrderId") ?? "").trim();
        if (po === "" || getFieldError("customerSalesOrderId").length === 0) return null;
        return (
          <Link target="_blank" to={`${ORDERS}?search=${encodeURIComponent(po)}`}>
            {t("form.seeTaken", { po })}
          </Link>
        );
      }}
    </Form.Item>
  );
}

const IN_ORDER = ["deliveryDate", ...DATES.filter((date) => date !== "deliveryDate")] as const;

/** Dates of all lines of a new order. A line's own dates override them. */
export function LineDatesFields() {
  const { t } = useTranslation("orders");
  return (
    <div className="ob-line-dates">
      {IN_ORDER.map((date) => (
        <Form.Item
          key={date}
          name={["dates", date]}
          label={t(`field.${date}`)}
          className="ob-explained"
          extra={t(`explained.${date}`)}
        >
          <DayField />
        </Form.Item>
      ))}
      <p className="ob-quiet">{t("form.datesHint")}</p>
    </div>
  );
}
