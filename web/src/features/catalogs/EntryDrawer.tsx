/** Drawer of one catalog record, with its picture if the catalog has pictures. */
import Drawer from "antd/es/drawer";
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CATALOGS } from "@/contract";
import { catalogPath } from "@/shared/catalogPaths";
import { RecordDrawer } from "@/shared/form/RecordDrawer";
import { useNarrow } from "@/shared/hooks/browser";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES, under } from "@/shared/http/keys";
import { afterRecord } from "@/shared/picture/afterRecord";
import { PictureField } from "@/shared/picture/PictureField";
import { PICTURE, type PictureChange } from "@/shared/picture/pictures";
import { useMay } from "@/shared/session/session";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { fieldsOf, isActive, ofNew, type Catalog, type Entry, type FieldName } from "./catalog";
import { entryCalls, useEntry } from "./catalogs.api";
import { FormFields } from "./form/FormFields";
import { sendPicture } from "./sendPicture";

const WIDTH = 520;

type WithPicture<V> = V & { picture: PictureChange };

function withoutPicture<V extends object>(values: WithPicture<V>): V {
  const others: V & { picture?: PictureChange } = { ...values };
  delete others.picture;
  return others;
}

interface Props<R extends Entry, V extends object, B extends object> {
  catalog: Catalog<R, V, B>;
  opened: "new" | number;
  /** The record as the list has it, so that the drawer need not load it. */
  listed: R | undefined;
  /** Whether another page shows only a part of the record. The record cannot be deleted there. */
  part?: boolean;
  onExpired: () => void;
  onClose: () => void;
}

export function EntryDrawer<R extends Entry, V extends object, B extends object>(
  props: Props<R, V, B>,
) {
  const { catalog, opened, listed, onClose } = props;
  const { t } = useTranslation(["catalogs", "forms", "shared"]);
  const narrow = useNarrow();
  const id = opened === "new" ? null : opened;
  // Keep the record that was shown first, even if it leaves the list.
  const [first] = useState(listed);
  const { data, error, mutate } = useEntry<R>(catalog.resource, first === undefined ? id : null);
  const record = first ?? data;

  if (id === null || record !== undefined) {
    return <Loaded<R, V, B> {...props} record={record} newest={listed ?? record} />;
  }
  return (
    <Drawer
      open
      size={narrow ? "100%" : (catalog.width ?? WIDTH)}
      title={t(`${catalog.resource}.one`)}
      closable={{ "aria-label": t("shared:action.close") }}
      onClose={onClose}
    >
      {error === undefined && <Skeleton active paragraph={{ rows: 8 }} />}
      {error?.status === 404 && <EmptyState drawing="gone" title={t("forms:record.gone")} />}
      {error !== undefined && error.status !== 404 && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
    </Drawer>
  );
}

interface LoadedProps<R extends Entry, V extends object, B extends object> extends Props<R, V, B> {
  record: R | undefined;
  /** The newest record: its picture URLs have not expired. */
  newest: R | undefined;
}

function Loaded<R extends Entry, V extends object, B extends object>(props: LoadedProps<R, V, B>) {
  const { catalog, record, newest, part = false, onExpired, onClose } = props;
  const { resource, sections, pictured = false, inactive, Below } = catalog;
  const { t } = useTranslation(["catalogs", "forms"]);
  const { reload } = useAnswers();
  const permissions = CATALOGS[resource];
  const mayCreate = useMay(permissions.Create);
  const mayUpdate = useMay(permissions.Update);
  const mayDelete = useMay(permissions.Delete);
  const maySave = record === undefined ? mayCreate : mayUpdate;
  const fields = fieldsOf(sections);

  async function changePicture(saved: R, change: PictureChange) {
    try {
      await afterRecord({ name: catalog.nameOf(saved) }, () =>
        sendPicture(resource, saved, change),
      );
    } finally {
      await reload(under(RESOURCES[resource]));
    }
  }

  return (
    <RecordDrawer<R, WithPicture<V>, B>
      resource={resource}
      record={record}
      title={record === undefined ? t(`${resource}.add`) : catalog.nameOf(record)}
      nameOf={catalog.nameOf}
      calls={entryCalls<R, B>(resource)}
      may={{ save: maySave, remove: mayDelete && !part }}
      {...(part ? { place: catalogPath(resource) } : {})}
      valuesOf={(known) => ({ ...catalog.valuesOf(known), picture: null })}
      blank={{ ...catalog.blank, picture: null }}
      bodyOf={(values) => catalog.bodyOf(withoutPicture(values))}
      fields={[...fields.map(({ name }) => name), PICTURE]}
      secret={[PICTURE]}
      describe={(name, values) => {
        const field = fields.find((each) => each.name === name);
        const word: FieldName | undefined = field?.name;
        const value = values[name];
        const yesOrNo = (yes: boolean) => (yes ? t("forms:yes") : t("forms:no"));
        const spoken = field?.spoken?.(values, { yes: t("forms:yes"), no: t("forms:no") });
        return {
          label: word === undefined ? t("forms:picture.label") : t(`field.${word}`),
          text: spoken ?? (typeof value === "boolean" ? yesOrNo(value) : String(value ?? "")),
        };
      }}
      {...(pictured
        ? { afterSave: (_headers, saved, values) => changePicture(saved, values.picture) }
        : {})}
      {...(inactive === undefined || (record !== undefined && isActive(record) === false)
        ? {}
        : { inactive })}
      width={catalog.width ?? WIDTH}
      onClose={onClose}
    >
      {pictured && <PictureField record={newest} readOnly={!maySave} onExpired={onExpired} />}
      <FormFields<V> sections={record === undefined ? ofNew(sections) : sections} />
      {Below !== undefined && record !== undefined && <Below record={record} />}
    </RecordDrawer>
  );
}
