/** Show a catalog from its definition: the list and the drawer of one record. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import { useCallback, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { CATALOGS } from "@/contract";
import { importPath } from "@/shared/catalogPaths";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useAnswers } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { RESOURCES, under, type CatalogName } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import { useMay } from "@/shared/session/session";
import { ActiveChip } from "@/shared/ui/Chip";
import type { DrawingName } from "@/shared/ui/Drawing";
import { toastError } from "@/shared/ui/errors";
import { ChoiceFilter } from "@/shared/form/filters";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordLink } from "@/shared/ui/RecordLink";
import { isActive, type Catalog, type Entry } from "./catalog";
import { askedOf, CATALOG_FILTERS, downloadCatalogs, useEntries } from "./catalogs.api";
import { columnTools } from "./columns";
import { EntryDrawer } from "./EntryDrawer";
import "./catalogs.css";

/** The drawings of empty catalogs; an anvil for the others. */
const DRAWN: Partial<Record<CatalogName, DrawingName>> = {
  items: "ring",
  "production-processes": "crucible",
};

interface Props<R extends Entry, V extends object, B extends object> {
  catalog: Catalog<R, V, B>;
  /** Buttons beside import and download. */
  actions?: ReactNode;
  /** Shown above the list. */
  above?: ReactNode;
  children?: ReactNode;
}

export function CatalogPage<R extends Entry, V extends object, B extends object>(
  props: Props<R, V, B>,
) {
  const { catalog } = props;
  const { resource, inactive, pictured = false } = catalog;
  const { t } = useTranslation(["catalogs", "forms"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const mayCreate = useMay(CATALOGS[resource].Create);
  const mayUpdate = useMay(CATALOGS[resource].Update);
  const query = useTableQuery(CATALOG_FILTERS);
  const list = useEntries<R>(resource, query);
  const { opened, open, close } = useOpenRecord();
  const { reload } = useAnswers();
  const onExpired = useCallback(() => void reload(under(RESOURCES[resource])), [reload, resource]);
  const columns = useMemo(
    () => catalog.columns(columnTools<R>(t, language, onExpired)),
    [catalog, t, language, onExpired],
  );

  return (
    <ListPage<R>
      title={t(`${resource}.title`)}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t(`${resource}.search`)}
      {...(inactive === undefined ? {} : { filters: <StatusFilter query={query} /> })}
      add={mayCreate ? { label: t(`${resource}.add`), onClick: () => open("new") } : undefined}
      above={props.above}
      seldom={
        <>
          {props.actions}
          <Button
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => void downloadCatalogs().catch(toastError)}
          >
            {t("list.download")}
          </Button>
          {CATALOGS[resource].importable && mayCreate && mayUpdate && (
            <Button onClick={() => void navigate(importPath(resource))}>{t("list.import")}</Button>
          )}
        </>
      }
      file={{
        name: resource,
        ask: (format) => listAsFile(RESOURCES[resource], askedOf(resource, query), format),
      }}
      emptyTitle={t(`${resource}.empty`)}
      emptyDrawing={DRAWN[resource] ?? "anvil"}
      emptyHint={mayCreate ? t(`${resource}.emptyHint`) : undefined}
      onOpen={({ id }) => open(id)}
      renderCard={(record) => (
        <EntryCard
          record={record}
          name={catalog.nameOf(record)}
          lines={catalog.card(record)}
          pictured={pictured}
          onExpired={onExpired}
        />
      )}
    >
      {opened !== null && (
        <EntryDrawer<R, V, B>
          key={opened}
          catalog={catalog}
          opened={opened}
          listed={list.rows?.find(({ id }) => id === opened)}
          onExpired={onExpired}
          onClose={close}
        />
      )}
      {props.children}
    </ListPage>
  );
}

function StatusFilter({ query }: { query: ReturnType<typeof useTableQuery<"status">> }) {
  const { t } = useTranslation(["catalogs", "forms"]);
  return (
    <ChoiceFilter
      query={query}
      name="status"
      label={t("list.status")}
      placeholder={t("list.anyStatus")}
      options={[
        { value: "true", label: t("forms:active") },
        { value: "false", label: t("forms:inactive") },
      ]}
    />
  );
}

interface EntryCardProps {
  record: Entry;
  name: string;
  lines: ReactNode[];
  pictured: boolean;
  onExpired: () => void;
}

function EntryCard({ record, name, lines, pictured, onExpired }: EntryCardProps) {
  const shown = lines.filter((line) => line !== "" && line !== null && line !== undefined);
  const active = isActive(record);
  return (
    <article className="ob-bar ob-padded ob-entry">
      {pictured && <Thumb address={record.thumbnail} onExpired={onExpired} />}
      <div className="ob-fill">
        <RecordLink id={record.id} className="ob-record-link ob-catalog__name">
          {name}
        </RecordLink>
        {shown.map((line, index) => (
          <p key={index} className="ob-quiet ob-small ob-two-rows">
            {line}
          </p>
        ))}
      </div>
      {active !== undefined && <ActiveChip active={active} />}
    </article>
  );
}
