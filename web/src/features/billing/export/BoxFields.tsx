/** Fields of one box: weights, measures and contents. */
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import Button from "antd/es/button";
import Form from "antd/es/form";
import { useTranslation } from "react-i18next";
import { NumberField } from "@/shared/form/NumberField";
import { Select } from "@/shared/form/Select";
import { formatKilograms, formatNumber } from "@/shared/format/numbers";
import { orNothing, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { contentOf, isFarFrom, isSame, SIDE, WEIGHT, type Content, type Left } from "./boxes";

const SIDES = ["lengthCm", "widthCm", "heightCm"] as const;

interface Props {
  /** Index of the box in the form. */
  name: number;
  left: readonly Left[];
  /** The metal in the box by the ledger; null if it does not know. */
  metalKg: number | null;
  onRemove: () => void;
}

export function BoxFields({ name, left, metalKg, onRemove }: Props) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  const typed = Form.useWatch<Typed>(["boxes", name, "netKg"], { preserve: true }) ?? null;
  function said(metal: number) {
    const kg = formatKilograms(metal, language);
    if (typed === null) return t("export.metalPrinted", { kg });
    return isFarFrom(metal, typed) ? t("export.metalSays", { kg }) : null;
  }
  return (
    <fieldset className="ob-box ob-export-box">
      <legend>{t("export.box", { number: name + 1 })}</legend>
      <div className="ob-export-box__weights">
        <Form.Item
          name={[name, "netKg"]}
          label={t("export.netKg")}
          extra={metalKg !== null && said(metalKg)}
        >
          <NumberField rule={{ ...WEIGHT, optional: metalKg !== null }} suffix="kg" />
        </Form.Item>
        <Form.Item
          name={[name, "grossKg"]}
          label={t("export.grossKg")}
          dependencies={[["boxes", name, "netKg"]]}
          rules={[
            ({ getFieldValue }) => ({
              validator: async (_rule, gross: Typed) => {
                const net = orNothing(getFieldValue(["boxes", name, "netKg"]) ?? metalKg);
                if (typeof gross === "number" && gross < net)
                  throw new Error(t("export.grossBelowNet"));
              },
            }),
          ]}
        >
          <NumberField rule={WEIGHT} suffix="kg" />
        </Form.Item>
        {SIDES.map((side) => (
          <Form.Item key={side} name={[name, side]} label={t(`export.${side}`)}>
            <NumberField rule={SIDE} suffix="cm" />
          </Form.Item>
        ))}
        <Button
          className="ob-export-box__remove"
          icon={<DeleteOutlined aria-hidden />}
          onClick={onRemove}
        >
          {t("export.removeBox")}
        </Button>
      </div>
      <Contents name={name} left={left} />
    </fieldset>
  );
}

function Contents({ name, left }: Pick<Props, "name" | "left">) {
  const { t } = useTranslation("billing");
  const language = useLanguage();
  const contents = Form.useWatch<Content[]>(["boxes", name, "lines"], { preserve: true }) ?? [];
  const open = left.filter(
    (one) => one.left > 0 && !contents.some((content) => isSame(content, one.line)),
  );
  return (
    <Form.List
      name={[name, "lines"]}
      rules={[
        {
          validator: async (_rule, lines: Content[] | undefined) => {
            if ((lines ?? []).length === 0) throw new Error(t("export.emptyBox"));
          },
        },
      ]}
    >
      {(fields, { add, remove }, { errors }) => (
        <>
          {fields.map(({ key, name: place }) => {
            const content = contents[place];
            const of = content && left.find(({ line }) => isSame(line, content));
            if (content === undefined || of === undefined) return null;
            const most = of.left + orNothing(content.quantity);
            const item = `${of.line.customerSalesOrderId} · ${of.line.position} · ${of.line.itemName}`;
            return (
              <div key={key} className="ob-export-line">
                <span>{item}</span>
                <Form.Item name={[place, "quantity"]}>
                  <NumberField
                    rule={{ least: 1, most }}
                    words={{ tooMany: t("export.tooMany", { most: formatNumber(most, language) }) }}
                    suffix={t("export.ofPieces", {
                      total: formatNumber(of.line.quantity, language),
                    })}
                    aria-label={t("export.piecesOf", { item, number: name + 1 })}
                  />
                </Form.Item>
                <Button
                  type="text"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t("export.removeLine", { item })}
                  onClick={() => remove(place)}
                />
              </div>
            );
          })}
          {open.length > 0 && (
            <Select<string>
              className="ob-export-add"
              aria-label={t("export.addLine")}
              placeholder={t("export.addLine")}
              value={null}
              showSearch
              options={open.map(({ line, left: rest }, index) => ({
                value: String(index),
                label: t("export.leftOf", {
                  item: `${line.customerSalesOrderId} · ${line.position} · ${line.itemName}`,
                  left: formatNumber(rest, language),
                }),
              }))}
              onChange={(index) => {
                const chosen = open[Number(index)];
                if (chosen !== undefined) add(contentOf(chosen.line, chosen.left));
              }}
            />
          )}
          <div role="alert">
            <Form.ErrorList errors={errors} />
          </div>
        </>
      )}
    </Form.List>
  );
}
