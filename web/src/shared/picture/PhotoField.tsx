/** An optional photo for a form: take it or choose it, see it, drop it. It is held as a JPEG in base 64. */
import CameraOutlined from "@ant-design/icons/es/icons/CameraOutlined";
import DeleteOutlined from "@ant-design/icons/es/icons/DeleteOutlined";
import Button from "antd/es/button";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStable } from "@/shared/hooks/browser";
import { asApiError } from "@/shared/http/ApiError";
import { errorText } from "@/shared/ui/errors";
import { ACCEPTED, asPhoto, refusalOf } from "./pictures";
import { Thumb } from "./Thumb";

interface Props {
  value: string | null;
  onChange: (photo: string | null) => void;
}

export function PhotoField({ value, onChange }: Props) {
  const { t } = useTranslation("forms");
  // Other fields of the form may change while the photo is encoded.
  const change = useStable(onChange);
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function take(file: File | undefined) {
    if (file === undefined) return;
    setBusy(true);
    try {
      const refused = await refusalOf(file);
      setFailure(refused === null ? null : t(`picture.${refused}`));
      if (refused === null) change(await asPhoto(file));
    } catch (reason) {
      setFailure(errorText(asApiError(reason)));
    }
    setBusy(false);
  }

  return (
    <div className="ob-bar" role="group" aria-label={t("photo.label")}>
      {value !== null && (
        <Thumb address={`data:image/jpeg;base64,${value}`} alt={t("photo.label")} />
      )}
      <div className="ob-stack ob-stack--tight">
        <div className="ob-words">
          <Button
            size="large"
            icon={<CameraOutlined aria-hidden />}
            loading={busy}
            onClick={() => input.current?.click()}
          >
            {t(value === null ? "photo.take" : "photo.again")}
          </Button>
          {value !== null && (
            <Button
              size="large"
              icon={<DeleteOutlined aria-hidden />}
              onClick={() => onChange(null)}
            >
              {t("photo.drop")}
            </Button>
          )}
        </div>
        {failure !== null && (
          <p className="ob-wrong" role="alert">
            {failure}
          </p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("photo.label")}
        accept={ACCEPTED.join()}
        capture="environment"
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = "";
        }}
      />
    </div>
  );
}
