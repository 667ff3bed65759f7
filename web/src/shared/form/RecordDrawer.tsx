/** The drawer of one catalog record: create, edit, read, delete, and a link to its history. */
import Button from "antd/es/button";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { entryPath } from "@/shared/catalogPaths";
import { searchOf } from "@/shared/hooks/useAddress";
import { useIsShown } from "@/shared/ui/useSubmit";
import { useAnswers } from "@/shared/http/data";
import { at, RESOURCES, showing, under, type Resource } from "@/shared/http/keys";
import { useRecent } from "@/shared/recent";
import { useMay } from "@/shared/session/session";
import { DeleteDialog } from "@/shared/ui/DeleteDialog";
import { differences, pick } from "./changes";
import { FormDrawer } from "./FormDrawer";
import { historyPath } from "./historyPath";

type Headers = { "Idempotency-Key": string };
interface Versioned {
  id: number;
  version: number;
}

/** The calls of one resource. Each throws ApiError; `update` sends `If-Match`. */
export interface RecordCalls<R, B> {
  load: (id: number) => Promise<R>;
  create: (headers: Headers, body: B) => Promise<R>;
  update: (headers: Headers & { "If-Match": string }, id: number, body: Partial<B>) => Promise<R>;
  remove: (headers: Headers, id: number) => Promise<R>;
}

export interface RecordDrawerProps<R extends Versioned, V extends object, B extends object> {
  resource: Resource;
  /** Absent for a new record. */
  record?: R | undefined;
  title: string;
  /** The record's name in questions: "Delete …?" */
  nameOf: (record: R) => string;
  calls: RecordCalls<R, B>;
  may: { save: boolean; remove: boolean };
  valuesOf: (record: R) => V;
  blank: V;
  bodyOf: (values: V) => B;
  /** The fields of the form. An update sends only those that differ. */
  fields: readonly (keyof V & string)[];
  secret?: readonly (keyof V & string)[];
  describe: (field: keyof V & string, values: V) => { label: string; text: string };
  /** Asks before the record is saved; nothing is saved if the answer is false. */
  confirm?: (values: V) => Promise<boolean>;
  /** Runs after the record is saved, for example to upload images. If it rejects, the form shows the error. */
  afterSave?: (headers: Headers, record: R, values: V) => Promise<unknown>;
  /** The change that deactivates a record, offered if it is in use; absent if it cannot be deactivated. */
  inactive?: Partial<B> | undefined;
  deleteNote?: string | undefined;
  /** The path of the resource's list, if another page shows the drawer. */
  place?: string;
  top?: ReactNode;
  width?: number;
  onClose: () => void;
  children: ReactNode;
}

export function RecordDrawer<R extends Versioned, V extends object, B extends object>(
  props: RecordDrawerProps<R, V, B>,
) {
  const { resource, record, calls, may, valuesOf, bodyOf, onClose } = props;
  const { t } = useTranslation(["forms", "shared"]);
  const isShown = useIsShown();
  const { pathname, search } = useLocation();
  const { afterWrite } = useAnswers();
  const mayAudit = useMay("ViewAudit");
  const [deleting, setDeleting] = useState(false);
  // The version that the form is based on. Live changes must not replace it while the user types.
  const known = useRef(record);
  useRecent(
    record !== undefined && resource === "customers"
      ? { kind: "customer", path: entryPath(resource, record.id), name: props.nameOf(record) }
      : undefined,
  );
  /** The values last saved. After a failed `afterSave`, the next save sends only fields changed since. */
  const sent = useRef<V>(null);
  const matching = (headers: Headers, version: number) => ({
    ...headers,
    "If-Match": `"${version}"`,
  });

  /** The address of the list, with its present filters, and the record's drawer open. */
  const pathOf = ({ id }: Versioned) =>
    props.place === undefined ? pathname + searchOf(id, search) : props.place + searchOf(id, "");

  async function save(headers: Headers, values: V, touched: string[]) {
    if ((await props.confirm?.(values)) === false) return undefined;
    const before = known.current;
    const body = bodyOf(values);
    const open = sent.current === null ? touched : differences(sent.current, values, props.fields);
    const saved =
      before === undefined
        ? await calls.create(headers, body)
        : await calls.update(matching(headers, before.version), before.id, pick(body, open));
    // Remember the saved record: a retry after a failed image must update it, not create it again.
    sent.current = { ...values };
    known.current = saved;
    afterWrite(showing(resource));
    await props.afterSave?.(headers, saved, values);
    return { name: props.nameOf(saved), path: pathOf(saved) };
  }

  return (
    <FormDrawer<V>
      title={props.title}
      name={`${resource}/${record?.id ?? "new"}`}
      recordId={record?.id}
      initial={record === undefined ? props.blank : valuesOf(record)}
      fields={props.fields}
      {...(props.secret === undefined ? {} : { secret: props.secret })}
      {...(props.width === undefined ? {} : { width: props.width })}
      readOnly={!may.save}
      save={save}
      {...(record === undefined
        ? {}
        : {
            reload: async () => {
              const now = await calls.load(record.id);
              known.current = now;
              return valuesOf(now);
            },
          })}
      describe={props.describe}
      aside={
        record !== undefined && may.remove ? (
          <Button danger onClick={() => setDeleting(true)}>
            {t("delete.button")}
          </Button>
        ) : undefined
      }
      top={
        <div className="ob-words ob-apart ob-below ob-record-top">
          {props.top}
          {record !== undefined && mayAudit && (
            <Link to={historyPath(resource, record.id)}>{t("record.history")}</Link>
          )}
        </div>
      }
      onClose={onClose}
    >
      {props.children}
      {deleting && record !== undefined && (
        <DeleteDialog
          name={props.nameOf(record)}
          path={pathOf(record)}
          note={props.deleteNote}
          remove={(headers) => calls.remove(headers, record.id)}
          deactivate={
            props.inactive === undefined
              ? undefined
              : async (headers) => {
                  const { version } = await calls.load(record.id);
                  return calls.update(matching(headers, version), record.id, props.inactive!);
                }
          }
          onDone={(what) => {
            // Reload only lists after a deletion: a load of the deleted record would fail.
            afterWrite(what === "deleted" ? at(RESOURCES[resource]) : under(RESOURCES[resource]));
            if (isShown()) onClose();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </FormDrawer>
  );
}
