/** Dialog for the other fields of a line: dates, notes and picture. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import TextArea from "antd/es/input/TextArea";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import { FormBody, FormScope } from "@/shared/form/FormParts";
import { useFocusBack } from "@/shared/hooks/browser";
import { PictureField } from "@/shared/picture/PictureField";
import { DayField } from "@/shared/ui/DayField";
import { DATES, type GridLine, type LineDates } from "./lines";
import type { LineActions } from "./useLines";
import { isDay, NOTES_MOST } from "./values";
import "./LineDetails.css";

interface Props {
  line: GridLine;
  number: number;
  /** The order's dates, which apply if the line has none. */
  dates: LineDates;
  actions: LineActions;
  onClose: () => void;
}

export default function LineDetails({ line, number, dates, actions, onClose }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  useFocusBack();
  const [form] = Form.useForm();
  const days = DATES.map((date) => [date, isDay(line[date]) ? line[date] : null] as const);
  return (
    <Modal
      open
      centered
      width={560}
      title={t("grid.detailsTitle", { number, item: line.item?.name ?? line.search })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t("grid.done")}
        </Button>
      }
    >
      <FormScope>
        <FormBody
          form={form}
          busy={false}
          name="line"
          className="ob-fields ob-grid-details"
          onFinish={onClose}
          initialValues={{ ...Object.fromEntries(days), notes: line.notes, picture: line.picture }}
          onValuesChange={(part: Record<string, unknown>) =>
            actions.change(
              line.id,
              Object.fromEntries(
                Object.entries(part).map(([name, value]) => [
                  name,
                  name === "picture" ? value : (value ?? ""),
                ]),
              ),
            )
          }
        >
          {DATES.map((date) => (
            <Form.Item
              key={date}
              name={date}
              label={t(`field.${date}`)}
              className="ob-explained"
              extra={t(`explained.${date}`)}
            >
              <DayField {...(dates[date] === "" ? {} : { placeholder: dates[date] })} />
            </Form.Item>
          ))}
          <Form.Item name="notes" label={t("field.lineNotes")} className="ob-whole">
            <TextArea maxLength={NOTES_MOST} showCount autoSize={{ minRows: 2, maxRows: 5 }} />
          </Form.Item>
          {line.position === undefined && (
            <div className="ob-whole">
              <PictureField record={undefined} />
            </div>
          )}
        </FormBody>
      </FormScope>
    </Modal>
  );
}
