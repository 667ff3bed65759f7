/** Dialog for the other fields of a line: dates, notes and picture. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import { FormBody, FormScope } from "@/shared/form/FormParts";
import { isDay } from "@/shared/format/typedDay";
import { useFocusBack } from "@/shared/hooks/browser";
import { PictureField } from "@/shared/picture/PictureField";
import { LineFields } from "./LineFields";
import type { GridLine, LineDates } from "./lines";
import type { LineActions } from "./useLines";
import { DATES, each, TEXTS } from "./values";
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
          initialValues={{
            ...each(DATES, (date) => (isDay(line[date]) ? line[date] : null)),
            ...each(TEXTS, (text) => line[text]),
            picture: line.picture,
          }}
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
          <LineFields dates={dates} />
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
