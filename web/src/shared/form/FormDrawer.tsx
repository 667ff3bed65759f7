/** A form in a drawer. Closing it asks about unsaved input; a stale save shows others' changes and keeps the input. */
import Button from "antd/es/button";
import Drawer from "antd/es/drawer";
import Form, { type FormInstance } from "antd/es/form";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFocusBack, useNarrow } from "@/shared/hooks/browser";
import { useIsShown, useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useSignedIn } from "@/shared/session/session";
import { toast, type Saved } from "@/shared/ui/toast";
import { differences, pick } from "./changes";
import { dropDraft, keepDraft, readDraft } from "./draft";
import { FormBody, FormScope, SendButton, showRefusal, typedIn } from "./FormParts";
import { DraftNote, StaleNote } from "./notes";
import { useLeaveGuard } from "./useLeaveGuard";
import "./form.css";

const TRIES = 3;
const WIDTH = 520;

/** The typed values, and the server's values at that time. */
interface Typed<V> {
  values: V;
  over: V;
}

/** Add the display name of each id: `customerId` also takes `customerName`. */
function withNames(fields: readonly PropertyKey[]): string[] {
  return fields.flatMap((field) => [String(field), String(field).replace(/Id$/, "Name")]);
}

/** Put the fields that the user changed in a draft over the server's present values. */
function withDraft<V extends object>(
  draft: Typed<V> | null,
  known: V,
  fields: readonly (keyof V)[],
): V {
  if (draft === null) return known;
  const touched = differences(draft.over, draft.values, fields);
  if (touched.length === 0) return known;
  return { ...known, ...pick(draft.values, withNames(touched)) };
}

/** The fields that others changed, with the values before and now. */
function changesOf<V extends object>(before: V, now: V, fields: readonly (keyof V & string)[]) {
  return differences(before, now, fields).map((field) => ({ field, before, now }));
}

export interface FormDrawerProps<V extends object> {
  title: string;
  /** The name under which the draft is stored: "materials/3", "materials/new". */
  name: string;
  saveLabel?: string;
  /** Replaces `saveLabel` if the label depends on the input. */
  renderSaveLabel?: (form: FormInstance<V>) => ReactNode;
  /** The record's row gets the focus afterwards, if what opened the drawer is gone. */
  recordId?: number | undefined;
  initial: V;
  fields: readonly (keyof V & string)[];
  /** Fields that are not stored in a draft: passwords, files. */
  secret?: readonly (keyof V & string)[];
  /**
   * Sends the fields in `touched`, which differ from the server's. Resolves to what the toast names, or undefined if
   * the user cancels. Rejects with ApiError.
   */
  save: (
    headers: { "Idempotency-Key": string },
    values: V,
    touched: string[],
  ) => Promise<Saved | undefined>;
  /** Loads the server's present values after a 412. */
  reload?: () => Promise<V>;
  /** The user who last changed the record, if known. */
  changedBy?: string | null;
  /** The label and text of a field, to show what others changed. */
  describe: (field: keyof V & string, values: V) => { label: string; text: string };
  readOnly?: boolean;
  /** Shown in the footer, apart from Cancel and Save: the Delete button. */
  aside?: ReactNode;
  /** Shown above the fields: a picture, a link to the history. */
  top?: ReactNode;
  width?: number;
  onClose: () => void;
  children: ReactNode;
}

export function FormDrawer<V extends object>(props: FormDrawerProps<V>) {
  const { title, name, fields, secret = [], reload, describe, onClose, children } = props;
  const { readOnly = false } = props;
  const { t } = useTranslation(["forms", "shared"]);
  const narrow = useNarrow();
  useFocusBack(props.recordId);
  const [form] = Form.useForm<V>();
  // A drawer over another form may have a field of the same name: each label must find its own.
  const ids = useId();
  const userId = useSignedIn().user.id;
  const [known, setKnown] = useState(props.initial);
  const [draft] = useState(() => readDraft<Typed<V>>(name, userId));
  const [start] = useState(() => withDraft(draft, known, fields));
  const [drafted, setDrafted] = useState(start !== known);
  const [typed, setTyped] = useState(drafted);
  const [changed, setChanged] = useState(() =>
    // A restored draft shows what others changed since it was typed, before it overwrites their changes.
    draft !== null && drafted && reload !== undefined ? changesOf(draft.over, known, fields) : [],
  );
  const { submit, busy } = useSubmit(props.save);
  /** The record is saved. A key that is pressed while the drawer closes changes nothing and stores no draft. */
  const [sent, setSent] = useState(false);
  const isShown = useIsShown();
  const guard = useLeaveGuard(typed, () => dropDraft(name), onClose);
  const saveLabel = props.renderSaveLabel?.(form) ?? props.saveLabel ?? t("shared:action.save");
  const typedValues = () => typedIn(form);

  function onTyped() {
    if (sent) return;
    setTyped(true);
    // A copy, because the secret fields must stay in the form.
    const values = { ...typedValues() };
    for (const field of secret) values[field] = known[field];
    keepDraft<Typed<V>>(name, userId, { values, over: known });
  }

  function startOver() {
    dropDraft(name);
    setDrafted(false);
    setTyped(false);
    setChanged([]);
    form.setFieldsValue(known);
  }

  /** Take the server's new values in fields that the user did not change. Return how many fields others changed. */
  function follow(before: V, now: V): number {
    const mine = new Set(withNames(differences(before, typedValues(), fields)));
    const theirs = changesOf(before, now, fields);
    const untouched = Object.keys(now).filter((field) => !mine.has(field));
    form.setFieldsValue(pick(now, untouched));
    setKnown(now);
    setChanged(theirs);
    return theirs.length;
  }

  async function onFinish() {
    let before = known;
    let saved: Saved | undefined;
    for (let tries = 1; ; tries += 1) {
      const values = typedValues();
      try {
        saved = await submit(values, differences(before, values, fields));
        if (saved === undefined) return;
        break;
      } catch (reason) {
        if (asApiError(reason).status !== 412 || reload === undefined || tries === TRIES) {
          showRefusal(form, reason);
          return;
        }
        try {
          const now = await reload();
          if (follow(before, now) > 0) return;
          before = now; // No field of this form changed, but for example a movement: save again.
        } catch (failure) {
          showRefusal(form, failure);
          return;
        }
      }
    }
    setSent(true);
    dropDraft(name);
    guard.release();
    toast.saved(saved);
    if (isShown()) onClose();
  }

  return (
    <FormScope>
      <Drawer
        open
        title={title}
        size={narrow ? "100%" : (props.width ?? WIDTH)}
        closable={{ "aria-label": t("shared:action.close") }}
        onClose={guard.askToClose}
        footer={
          <div className="ob-drawer-footer">
            {!readOnly && (
              <SendButton loading={busy} onClick={form.submit}>
                {changed.length > 0 ? t("stale.again") : saveLabel}
              </SendButton>
            )}
            <Button onClick={guard.askToClose}>
              {readOnly ? t("shared:action.close") : t("shared:action.cancel")}
            </Button>
            {props.aside !== undefined && <span className="ob-first">{props.aside}</span>}
          </div>
        }
      >
        {drafted && <DraftNote onDrop={startOver} />}
        <StaleNote
          who={props.changedBy ?? null}
          rows={changed.map(({ field, before, now }) => {
            const { label, text } = describe(field, before);
            return { label, before: text, now: describe(field, now).text };
          })}
        />
        {props.top}
        <FormBody<V>
          form={form}
          name={ids}
          className="ob-above ob-drawer-form"
          disabled={readOnly}
          busy={busy || sent}
          initialValues={start}
          scrollToFirstError={{ focus: true, block: "center" }}
          onValuesChange={onTyped}
          onFinish={() => void onFinish()}
        >
          {children}
        </FormBody>
        {guard.question}
      </Drawer>
    </FormScope>
  );
}
