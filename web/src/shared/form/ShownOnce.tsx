/** Show a secret that cannot be read again, with a button that copies it. */
import CopyOutlined from "@ant-design/icons/es/icons/CopyOutlined";
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import "./form.css";

export function ShownOnce(props: { label: string; secret: string; hint: string }) {
  const { t } = useTranslation("forms");
  const id = useId();
  const [taken, setTaken] = useState<"taken" | "refused">();

  async function copy() {
    try {
      await navigator.clipboard.writeText(props.secret);
      setTaken("taken");
    } catch {
      setTaken("refused"); // no HTTPS, or the browser denies clipboard access
    }
  }

  return (
    <div>
      <label htmlFor={id}>{props.label}</label>
      <div className="ob-row">
        <Input
          id={id}
          readOnly
          className="ob-secret__text"
          value={props.secret}
          onFocus={({ target }) => target.select()}
        />
        <Button type="primary" icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
          {t("secret.copy")}
        </Button>
      </div>
      <p role="status">{t(taken === undefined ? "secret.once" : `secret.${taken}`)}</p>
      <p className="ob-quiet">{props.hint}</p>
    </div>
  );
}
