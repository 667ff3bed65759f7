/** Draw a list from its definition: the page, its filters, and the drawer of one record. */
import { useCallback, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { GrowingFilters } from "@/shared/form/GrowingFilters";
import { Select } from "@/shared/form/Select";
import { ChoiceFilter, DaysFilter, OptionFilter, type Narrowed } from "@/shared/form/filters";
import { useHand } from "@/shared/hooks/browser";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { useAnswer, useList } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import { useHoldsAll } from "@/shared/session/session";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordGone } from "@/shared/ui/states";
import { columnTools } from "./columns";
import type { FilteredProps, ListFilter, RecordDrawing, RecordList, Word } from "./list";

interface Props<Row extends { id: number }, Filter extends string> {
  list: RecordList<Row, Filter>;
  /** What the button that adds a record does, if it opens neither a page nor a drawer of the list. */
  onAdd?: () => void;
  children?: ReactNode;
}

export function RecordListPage<Row extends { id: number }, Filter extends string>(
  props: Props<Row, Filter>,
) {
  const { list, children } = props;
  const { add, pathOf, record, file, Actions, Above } = list;
  const say = useWords(list.title);
  const language = useLanguage();
  const navigate = useNavigate();
  const holdsAll = useHoldsAll();
  const query = useTableQuery(list.filterNames);
  const asked = { ...list.unfiltered, ...query.server };
  // All these lists answer pages of rows, so the path of one stands for all.
  const loaded = useList<"/api/deliveries/search", Row>(
    list.path as "/api/deliveries/search",
    { query: asked },
    query,
  );
  const { opened, open, close } = useOpenRecord();
  const columns = useMemo(
    () =>
      list.columns(columnTools<Row>(say, language, (permission) => holdsAll([permission]), pathOf)),
    [list, say, language, holdsAll, pathOf],
  );
  const filtered = { query, rows: loaded.rows };
  const mayAdd = add !== undefined && holdsAll([add.permission]);
  const hint = (mayAdd ? add.hint : undefined) ?? list.emptyHint;
  const onAdd = () => {
    if (props.onAdd !== undefined) props.onAdd();
    else if (add?.path === undefined) open("new");
    else void navigate(add.path);
  };
  const onOpen = (row: Row) => (pathOf === undefined ? open(row.id) : void navigate(pathOf(row)));

  return (
    <ListPage<Row>
      title={say(list.title)}
      query={query}
      list={loaded}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={say(list.search)}
      {...(list.filters === undefined
        ? {}
        : {
            filters: (
              <>
                <GrowingFilters
                  query={query}
                  parts={list.filters.map((filter) => ({
                    names: namesOf(filter),
                    label: say(labelOf(filter)),
                    part: <Filter filter={filter} say={say} {...filtered} />,
                  }))}
                />
                <CardOrdering query={query} orderings={list.cardOrderings} say={say} />
              </>
            ),
          })}
      {...(Actions === undefined ? {} : { actions: <Actions /> })}
      {...(Above === undefined ? {} : { above: <Above {...filtered} /> })}
      {...(file === undefined
        ? {}
        : { file: { name: file, ask: (format) => listAsFile(list.path, query.server, format) } })}
      add={mayAdd ? { label: say(add.label), onClick: onAdd } : undefined}
      emptyTitle={say(list.empty)}
      emptyHint={hint && say(hint)}
      {...(list.drawing === undefined ? {} : { emptyDrawing: list.drawing })}
      {...(list.fits === undefined ? {} : { fits: list.fits })}
      {...(pathOf === undefined && record === undefined ? {} : { onOpen })}
      {...(list.rowClassName === undefined ? {} : { rowClassName: list.rowClassName })}
      {...(list.card === undefined ? {} : { renderCard: list.card })}
    >
      {opened === "new" && mayAdd && add.drawer?.(close)}
      {typeof opened === "number" && record !== undefined && (
        <Opened key={opened} id={opened} record={record} close={close} />
      )}
      {children}
    </ListPage>
  );
}

/** Return a function that translates words, after the file of `title` is loaded. */
function useWords(title: Word): (word: Word) => string {
  const { t } = useTranslation([title.split(":")[0] as "shared", "shared"]);
  return useCallback((word) => t(word as "shared:none"), [t]);
}

/** The parameters of a filter in the address. */
function namesOf<Name extends string, Row>(filter: ListFilter<Name, Row>): string[] {
  if ("days" in filter) return ["from", "to"];
  if ("Part" in filter) return [filter.name];
  return ["option" in filter ? filter.option : filter.choice];
}

const labelOf = <Name extends string, Row>(filter: ListFilter<Name, Row>): Word =>
  "days" in filter ? "shared:days.label" : filter.label;

type FilterProps<Name extends string, Row> = FilteredProps<Name, Row> & {
  filter: ListFilter<Name, Row>;
  say: (word: Word) => string;
};

function Filter<Name extends string, Row>({ filter, say, ...of }: FilterProps<Name, Row>) {
  const query = of.query as Narrowed<string>;
  if ("Part" in filter) return <filter.Part {...of} />;
  if ("days" in filter) return <DaysFilter query={query} />;
  const { label, any = label } = filter;
  const words = { query, label: say(label), placeholder: say(any) };
  if ("option" in filter)
    return <OptionFilter {...words} name={filter.option} catalog={filter.catalog} />;
  const options = filter.values.map(([value, word]) => ({ value, label: say(word) }));
  return <ChoiceFilter {...words} name={filter.choice} options={options} />;
}

interface OrderingProps {
  query: TableQuery;
  orderings: RecordList<never>["cardOrderings"];
  say: (word: Word) => string;
}

function CardOrdering({ query, orderings, say }: OrderingProps) {
  const hand = useHand();
  if (orderings === undefined || !hand) return null;
  return (
    <Select
      className="ob-filter"
      aria-label={say("shared:table.ordering")}
      value={query.ordering}
      options={orderings.map(([value, word]) => ({ value, label: say(word) }))}
      onChange={(ordering) => query.set({ ordering })}
    />
  );
}

interface OpenedProps<Row> {
  id: number;
  record: RecordDrawing<Row>;
  close: () => void;
}

function Opened<Row>({ id, record, close }: OpenedProps<Row>) {
  const { data, error } = useAnswer<"/api/deliveries/{delivery_id}", Row>(
    record.path as "/api/deliveries/{delivery_id}",
    { path: { [record.id]: id } as { delivery_id: number } },
  );
  if (data !== undefined) return record.drawer(data, close);
  return error === undefined ? null : <RecordGone error={error} onClose={close} />;
}
