/** Ask for the size and number of labels, and print them. What was chosen stays if the print fails. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Progress from "antd/es/progress";
import Segmented from "antd/es/segmented";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { NumberField } from "@/shared/form/NumberField";
import { useFormKeys } from "@/shared/form/useFormKeys";
import { PIECES, problemOf, type NumberRule, type Typed } from "@/shared/format/typedNumber";
import { useFocusBack } from "@/shared/hooks/browser";
import { useIsShown } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { newRunId } from "@/entities/printing/runs";
import { percentOf, usePrintProgress } from "@/entities/printing/usePrintProgress";
import { LANGUAGE_NAMES, LANGUAGES, readLanguage, type Language } from "@/shared/language";
import { errorText, toastError } from "@/shared/ui/errors";
import { TALL_DIALOG } from "@/shared/ui/tallDialog";
import { toast } from "@/shared/ui/toast";
import {
  countOf,
  keepPaper,
  keptPaper,
  MOST_LABELS,
  printLabels,
  SIDES,
  SIZES,
  type LabelForm,
  type LabelSource,
} from "./labels";
import "@/shared/form/form.css";

interface Props {
  source: LabelSource;
  /** The pieces of each line that gets labels. */
  pieces: readonly number[];
  onClose: () => void;
}

const FREE = "free";
const RULES = {
  ...SIDES,
  piecesEach: { ...PIECES, optional: true },
  copies: { least: 1, most: MOST_LABELS },
} satisfies Record<string, NumberRule>;
type Field = keyof typeof RULES;

type Draft = Record<Field, Typed> & { language: Language; free: boolean };

const nameOf = ({ width, height }: { width: Typed; height: Typed }) => `${width} × ${height}`;

function firstDraft(): Draft {
  const { width, height, language } = keptPaper() ?? { ...SIZES[0]!, language: readLanguage() };
  const free = !SIZES.some((size) => nameOf(size) === nameOf({ width, height }));
  return { width, height, language, free, piecesEach: null, copies: 1 };
}

/** The form to send; null while a field is not valid. */
function formOf({ width, height, piecesEach, copies, language }: Draft): LabelForm | null {
  const typed = { width, height, piecesEach, copies };
  if (Object.entries(typed).some(([name, value]) => problemOf(value, RULES[name as Field]))) {
    return null;
  }
  return { ...typed, language } as LabelForm;
}

export default function LabelsDialog({ source, pieces, onClose }: Props) {
  const { t } = useTranslation(["labels", "shared"]);
  useFocusBack();
  const isShown = useIsShown();
  const ids = useId();
  const element = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(firstDraft);
  const [run, setRun] = useState<{ id: string; controller: AbortController } | null>(null);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const busy = run !== null;
  const form = formOf(draft);
  const count = form === null ? null : countOf(pieces, form);
  const mayPrint = count !== null && count > 0 && count <= MOST_LABELS;

  function change(changed: Partial<Draft>) {
    setFailure(null);
    setDraft({ ...draft, ...changed });
  }

  async function print() {
    if (busy || form === null || !mayPrint) return;
    setFailure(null);
    const [id, controller] = [newRunId(), new AbortController()];
    setRun({ id, controller });
    try {
      await printLabels(source, form, id, controller.signal);
      keepPaper(form);
      toast.success(t("done", { count }));
      onClose();
    } catch (reason) {
      if (controller.signal.aborted) return;
      const error = asApiError(reason);
      // The dialog is gone if the page was left.
      if (isShown()) setFailure(error);
      else toastError(error);
    } finally {
      setRun(null);
    }
  }

  const keys = useFormKeys(
    () => element.current,
    busy,
    () => void print(),
  );
  const field = (name: Field, hint?: string) => (
    <div className="ob-stack ob-stack--tight">
      <label className="ob-strong" htmlFor={ids + name}>
        {t(name)}
      </label>
      <NumberField
        size="large"
        id={ids + name}
        rule={RULES[name]}
        value={draft[name]}
        {...(hint === undefined ? {} : { "aria-describedby": `${ids}${name}-hint` })}
        onChange={(value) => change({ [name]: value })}
      />
      {hint !== undefined && (
        <span className="ob-quiet ob-small" id={`${ids}${name}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );

  return (
    <Modal
      open
      centered
      width={480}
      styles={TALL_DIALOG}
      title={t("title")}
      closable={{ "aria-label": t("shared:action.close"), disabled: busy }}
      footer={null}
      onCancel={() => {
        if (!busy) onClose();
      }}
    >
      <form
        ref={element}
        className="ob-stack ob-stack--wide"
        {...keys}
        onSubmit={(event) => {
          event.preventDefault();
          void print();
        }}
      >
        <div className="ob-stack ob-stack--tight">
          <span className="ob-strong" id={`${ids}size`}>
            {t("size")}
          </span>
          <Segmented
            block
            size="large"
            name={`${ids}sizes`}
            aria-labelledby={`${ids}size`}
            value={draft.free ? FREE : nameOf(draft)}
            options={[
              ...SIZES.map((size) => ({ value: nameOf(size), label: nameOf(size) })),
              { value: FREE, label: t("free") },
            ]}
            onChange={(chosen) => {
              const size = SIZES.find((one) => nameOf(one) === chosen);
              change(size === undefined ? { free: true } : { ...size, free: false });
            }}
          />
        </div>
        {draft.free && (
          <div className="ob-fields">
            {field("width")}
            {field("height")}
          </div>
        )}
        {field("piecesEach", t("piecesEachHint"))}
        {field("copies")}
        <div className="ob-stack ob-stack--tight">
          <span className="ob-strong" id={`${ids}language`}>
            {t("language")}
          </span>
          <Segmented<Language>
            block
            size="large"
            name={`${ids}languages`}
            aria-labelledby={`${ids}language`}
            value={draft.language}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            onChange={(language) => change({ language })}
          />
        </div>
        {count === 0 && <p className="ob-note">{t("none")}</p>}
        {count !== null && count > MOST_LABELS && (
          <p className="ob-note ob-note--warning" role="alert">
            {t("tooMany", { count, most: MOST_LABELS })}
          </p>
        )}
        {run !== null && <PrintProgress key={run.id} runId={run.id} />}
        {failure !== null && (
          <p className="ob-note ob-note--danger" role="alert">
            {errorText(failure)}
          </p>
        )}
        <div className="ob-row ob-end ob-form-bar">
          <Button size="large" onClick={() => (busy ? run.controller.abort() : onClose())}>
            {busy ? t("stop") : t("shared:action.close")}
          </Button>
          <Button size="large" type="primary" htmlType="submit" loading={busy} disabled={!mayPrint}>
            {count !== null && count > 0 ? t("print", { count }) : t("printNone")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** The progress of a print that takes long. */
function PrintProgress({ runId }: { runId: string }) {
  const { t } = useTranslation("labels");
  const progress = usePrintProgress(runId);
  if (progress === null) return null;
  const { total } = progress;
  return (
    <div>
      <Progress percent={percentOf(progress)} status="active" aria-label={t("begins")} />
      <p role="status">{total === 0 ? t("begins") : t("progress", { ...progress })}</p>
    </div>
  );
}
