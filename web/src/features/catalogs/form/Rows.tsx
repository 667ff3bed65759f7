/** Form rows that can be added and removed: addresses, telephones, components. */
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import PlusOutlined from "@ant-design/icons/es/icons/PlusOutlined";
import UpOutlined from "@ant-design/icons/es/icons/UpOutlined";
import Button from "antd/es/button";
import Form from "antd/es/form";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useKeptFocus } from "@/shared/hooks/focus";
import "./form.css";

interface Props {
  name: string;
  /** The name of one row, such as "Telephone". */
  one: string;
  addLabel: string;
  /** Return the values of a new row. */
  blank: () => unknown;
  /** Render the fields of the row at `index`. */
  children: (index: number) => ReactNode;
  most?: number;
  /** Rows can be moved, because their order matters. */
  ordered?: boolean;
  className?: string;
}

export function Rows({ name, one, addLabel, blank, children, most = 50, ordered, ...rest }: Props) {
  const { t } = useTranslation("catalogs");
  const box = useKeptFocus<HTMLDivElement>();
  return (
    <Form.List name={name}>
      {(rows, { add, remove, move }) => (
        <div className="ob-whole ob-rows" ref={box}>
          {rows.map(({ key, name: index }) => (
            <fieldset key={key} className={`ob-rows__row ${rest.className ?? ""}`}>
              <legend className="ob-quiet ob-small ob-rows__name">{`${one} ${index + 1}`}</legend>
              <div className="ob-fields ob-rows__fields">{children(index)}</div>
              <div className="ob-rows__buttons">
                {ordered === true && (
                  <>
                    <Button
                      type="text"
                      icon={<UpOutlined aria-hidden />}
                      aria-label={t("form.moveUp", { name: `${one} ${index + 1}` })}
                      disabled={index === 0}
                      onClick={() => move(index, index - 1)}
                    />
                    <Button
                      type="text"
                      icon={<DownOutlined aria-hidden />}
                      aria-label={t("form.moveDown", { name: `${one} ${index + 1}` })}
                      disabled={index === rows.length - 1}
                      onClick={() => move(index, index + 1)}
                    />
                  </>
                )}
                <Button
                  type="text"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t("form.removeRow", { name: `${one} ${index + 1}` })}
                  onClick={() => remove(index)}
                />
              </div>
            </fieldset>
          ))}
          <Button
            icon={<PlusOutlined aria-hidden />}
            disabled={rows.length >= most}
            onClick={() => {
              add(blank());
              requestAnimationFrame(() => showLast(box.current));
            }}
          >
            {addLabel}
          </Button>
        </div>
      )}
    </Form.List>
  );
}

/** Bring a new row into view, and focus its first field. */
function showLast(box: HTMLElement | null): void {
  const row = [...(box?.querySelectorAll("fieldset") ?? [])].at(-1);
  row?.scrollIntoView({ block: "center" });
  row?.querySelector<HTMLElement>("input:enabled:not([readonly])")?.focus({ preventScroll: true });
}
