/** A record's picture in its form: choose or drop a file, view it, remove it. It is sent after the record is saved. */
import Button from "antd/es/button";
import Form from "antd/es/form";
import Modal from "antd/es/modal";
import { useEffect, useRef, useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { ACCEPTED, PICTURE, refusalOf, type PictureChange, type PictureRefusal } from "./pictures";
import { useOpenAddress } from "@/shared/http/picturePass";
import { Thumb } from "./Thumb";
import "./picture.css";

interface Props {
  /** The stored record, with the addresses of its picture and thumbnail. */
  record: { image?: string | null; thumbnail?: string | null } | undefined;
  readOnly?: boolean;
  onExpired?: () => void;
}

export function PictureField(props: Props) {
  return (
    <Form.Item name={PICTURE} noStyle>
      <Field {...props} />
    </Form.Item>
  );
}

interface FieldProps extends Props {
  value?: PictureChange;
  onChange?: (change: PictureChange) => void;
}

function Field(props: FieldProps) {
  const { record, readOnly = false, value = null, onChange } = props;
  const onExpired = props.onExpired ?? (() => {});
  const { t } = useTranslation(["forms", "shared"]);
  const [failure] = Form.useFormInstance().getFieldError(PICTURE);
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<PictureRefusal | null>(null);
  const [over, setOver] = useState(false);
  const [large, setLarge] = useState(false);
  const preview = value !== null && "file" in value ? value.preview : null;
  useEffect(() => {
    if (preview === null) return undefined;
    return () => URL.revokeObjectURL(preview);
  }, [preview]);

  const removed = value !== null && "removed" in value;
  const stored = useOpenAddress(record?.image);
  const shown = preview ?? (removed ? null : stored);
  const small = preview ?? (removed ? null : (record?.thumbnail ?? stored));

  async function take(file: File | undefined) {
    if (file === undefined) return;
    const refused = await refusalOf(file);
    setRefusal(refused);
    if (refused === null) onChange?.({ file, preview: URL.createObjectURL(file) });
  }

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!readOnly) void take(event.dataTransfer.files[0]);
  }

  if (readOnly && stored === null) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <div
      className={over ? "ob-bar ob-upload ob-upload--over" : "ob-bar ob-upload"}
      role="group"
      aria-label={t("picture.label")}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!readOnly);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {shown === null ? (
        <Thumb address={null} onExpired={onExpired} />
      ) : (
        <button
          type="button"
          className="ob-upload__open"
          aria-label={t("picture.open")}
          onClick={() => setLarge(true)}
        >
          <Thumb address={small} onExpired={onExpired} alt={t("picture.label")} />
        </button>
      )}
      {!readOnly && (
        <div className="ob-upload__side">
          <div className="ob-words">
            <Button onClick={() => input.current?.click()}>
              {shown === null ? t("picture.choose") : t("picture.replace")}
            </Button>
            {shown !== null && (
              <Button
                danger
                type="text"
                onClick={() => {
                  setRefusal(null);
                  onChange?.(stored === null ? null : { removed: true });
                }}
              >
                {t("picture.remove")}
              </Button>
            )}
            {removed && (
              <Button type="link" onClick={() => onChange?.(null)}>
                {t("picture.keep")}
              </Button>
            )}
          </div>
          <p className="ob-quiet ob-small ob-above">
            {removed ? t("picture.willGo") : t("picture.hint")}
          </p>
          {(refusal !== null || failure !== undefined) && (
            <p className="ob-wrong" role="alert">
              {refusal === null ? failure : t(`picture.${refusal}`)}
            </p>
          )}
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t("picture.label")}
            accept={ACCEPTED.join()}
            onChange={({ target }) => {
              void take(target.files?.[0]);
              target.value = "";
            }}
          />
        </div>
      )}
      {large && shown !== null && (
        <Modal
          open
          centered
          width="min(960px, 96vw)"
          title={t("picture.label")}
          closable={{ "aria-label": t("shared:action.close") }}
          footer={null}
          onCancel={() => setLarge(false)}
        >
          <img
            className="ob-upload__large"
            src={shown}
            alt={t("picture.label")}
            onError={onExpired}
          />
        </Modal>
      )}
    </div>
  );
}
