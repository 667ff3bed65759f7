/** A page that lists records: title with the count, search and filters, table or cards, and an empty state. */
import PlusOutlined from "@ant-design/icons/es/icons/PlusOutlined";
import Button from "antd/es/button";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useNarrow } from "@/shared/hooks/browser";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { CursorList } from "@/shared/http/data";
import { useLanguage } from "@/shared/i18n";
import { useShortcut } from "@/shared/keyboard/shortcuts";
import { DataTable, type Columns, type RowSelection } from "./DataTable";
import type { DrawingName } from "./Drawing";
import { ExportButton, type ListFile } from "./ExportButton";
import { PageTitle } from "./PageTitle";
import { EmptyState, LoadFailed } from "./states";
import { Toolbar } from "./Toolbar";

export interface ListPageProps<T extends object> {
  title: string;
  query: TableQuery;
  list: CursorList<T>;
  columns: Columns<T>;
  fits?: boolean;
  rowKey: (keyof T & string) | ((row: T) => string);
  /** The fields that the search covers: "Name, e-mail". */
  searchLabel: string;
  filters?: ReactNode;
  /** The button that adds a record; absent without the permission. */
  add?: { label: string; onClick: () => void } | undefined;
  actions?: ReactNode;
  /** Rarely used actions: on a phone behind a button, with the export. */
  seldom?: ReactNode;
  /** The list as a file, if it can be exported. */
  file?: ListFile;
  /** Shown between the search and the list: the tabs of a page, a note. */
  above?: ReactNode;
  /** Shown after the list: the selection bar, which sticks to the window's lower edge. */
  below?: ReactNode;
  /** Shown if there are no records at all. */
  emptyTitle: string;
  /** What the user can do about it. */
  emptyHint?: string | undefined;
  emptyDrawing?: DrawingName;
  onOpen?: (row: T) => void;
  rowClassName?: (row: T) => string;
  renderCard?: (row: T) => ReactNode;
  selection?: RowSelection<T>;
  children?: ReactNode;
}

/**
 * Reserves the line of the count until it is known, so that nothing moves when the count arrives.
 */
const ROOM = "\u00a0";

export function ListPage<T extends object>(props: ListPageProps<T>) {
  const { title, query, list, add, onOpen, rowClassName, renderCard } = props;
  const { t } = useTranslation(["forms", "shared"]);
  const language = useLanguage();
  const { rows, total, exact, error, more, retry } = list;
  useShortcut({ key: "n", does: "new", press: () => add?.onClick() }, { is: add !== undefined });
  // An empty list has a button in its middle that adds a record. Only that button is then the
  // page's primary one.
  const isNew = rows?.length === 0 && !query.isFiltered;
  const addButton = (isMain: boolean) =>
    add !== undefined && (
      <Button
        type={isMain ? "primary" : "default"}
        icon={<PlusOutlined aria-hidden />}
        onClick={add.onClick}
      >
        {add.label}
      </Button>
    );
  const file = props.file !== undefined && (
    <ExportButton {...props.file} total={rows === undefined ? undefined : total} exact={exact} />
  );
  const empty = query.isFiltered ? (
    <EmptyState
      drawing="loupe"
      title={t("shared:table.noMatch")}
      hint={t("shared:table.noMatchHint")}
      action={<Button onClick={query.clear}>{t("shared:action.clearFilters")}</Button>}
    />
  ) : (
    <EmptyState
      title={props.emptyTitle}
      {...(props.emptyHint === undefined ? {} : { hint: props.emptyHint })}
      {...(props.emptyDrawing === undefined ? {} : { drawing: props.emptyDrawing })}
      action={addButton(true)}
    />
  );
  return (
    <div className="ob-page">
      <PageTitle
        title={title}
        note={
          rows === undefined
            ? ROOM
            : exact
              ? t("list.count", { count: total })
              : t("shared:table.moreThan", { total: formatNumber(total, language) })
        }
        actions={
          <>
            {props.actions}
            {props.seldom === undefined ? (
              file
            ) : (
              <Seldom>
                {props.seldom}
                {file}
              </Seldom>
            )}
            {addButton(!isNew)}
          </>
        }
      />
      <Toolbar query={query} searchLabel={props.searchLabel} filters={props.filters} />
      {props.above}
      {error === undefined ? (
        <DataTable<T>
          rowKey={props.rowKey}
          label={title}
          columns={props.columns}
          {...(props.fits === undefined ? {} : { fits: props.fits })}
          rows={rows}
          total={total}
          exact={exact}
          ordering={query.ordering}
          onOrder={(ordering) => query.set({ ordering })}
          onMore={more}
          {...(onOpen === undefined ? {} : { onOpen })}
          {...(rowClassName === undefined ? {} : { rowClassName })}
          {...(renderCard === undefined ? {} : { renderCard })}
          {...(props.selection === undefined ? {} : { selection: props.selection })}
          empty={empty}
        />
      ) : (
        <div className="ob-surface">
          <LoadFailed error={error} onRetry={retry} />
        </div>
      )}
      {props.below}
      {props.children}
    </div>
  );
}

function Seldom({ children }: { children: ReactNode }) {
  const { t } = useTranslation("forms");
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  return (
    <>
      {narrow && (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("list.seldom")}
        </Button>
      )}
      {(open || !narrow) && children}
    </>
  );
}
