/**
 * The fields of a line other than product, quantity and picture, for the drawer and for the dialog
 * of the grid.
 */
import Form from "antd/es/form";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import { DayField } from "@/shared/form/DayField";
import type { LineDates } from "./lines";
import { DATES, fieldWord, TEXTS, TEXT_MOST } from "./values";

/** `dates`: the order's dates, which apply if the line has none. */
export function LineFields({ dates }: { dates?: LineDates }) {
  const { t } = useTranslation("orders");
  return (
    <>
      {DATES.map((date) => (
        <Form.Item
          key={date}
          name={date}
          label={t(fieldWord(date))}
          className="ob-explained"
          extra={t(`explained.${date}`)}
        >
          <DayField {...(dates?.[date] ? { placeholder: dates[date] } : {})} />
        </Form.Item>
      ))}
      {TEXTS.map((text) => (
        <Form.Item key={text} name={text} label={t(fieldWord(text))} className="ob-whole">
          <TextArea maxLength={TEXT_MOST[text]} showCount autoSize={{ minRows: 1, maxRows: 5 }} />
        </Form.Item>
      ))}
    </>
  );
}
