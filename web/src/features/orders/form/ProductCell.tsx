/**
 * Choose the product of a line by words of its key or name, in any order. Enter takes the marked
 * option.
 */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { OfferedProduct } from "@/contract";
import { usePaused } from "@/shared/hooks/browser";
import { useAnswer } from "@/shared/http/data";
import { Thumb } from "@/shared/picture/Thumb";
import type { GridLine } from "./lines";
import type { LineActions } from "./useLines";
import "./ProductCell.css";

const OFFERED = 12;
/** Maximum height of the list, in px. If less room is below the field, the list opens above it. */
const LIST_HEIGHT = 340;

interface Props {
  line: GridLine;
  index: number;
  actions: LineActions;
  /** The value is invalid. `describedBy`: the id of the message. */
  wrong: boolean;
  describedBy: string | undefined;
}

export function ProductCell({ line, index, actions, wrong, describedBy }: Props) {
  const { t } = useTranslation("orders");
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const before = useRef<OfferedProduct | null>(null);
  const { id, item } = line;
  const search = line.search.trim();

  function type(text: string) {
    if (item !== null) before.current = item;
    setOpen(true);
    setMarked(0);
    actions.change(id, { item: null, search: text, kept: false });
  }

  function choose(product: OfferedProduct) {
    setOpen(false);
    before.current = product;
    actions.change(id, { item: product, search: "" });
  }

  function leave() {
    setOpen(false);
    if (item === null && search === "" && before.current !== null) choose(before.current);
  }

  /** The products for the typed text; undefined while they are unknown. */
  const offered = useRef<readonly OfferedProduct[] | undefined>(undefined);

  function onKeyDown(event: KeyboardEvent) {
    const list = open ? offered.current : undefined;
    if (event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    // Close the list, because Tab would focus it: it can be scrolled.
    if (event.key === "Tab") setOpen(false);
    else if (event.key === "Enter" && item === null && search !== "") {
      const product = list?.[marked];
      if (product !== undefined) choose(product);
      else if (list === undefined) actions.chooseLikeliest(id, search);
      setOpen(false);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      if (before.current !== null) choose(before.current);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && (open || event.altKey)) {
      event.preventDefault();
      if (!open) setOpen(true);
      const last = (list?.length ?? 1) - 1;
      const step = event.key === "ArrowDown" ? 1 : -1;
      setMarked((now) => Math.min(last, Math.max(0, now + step)));
    }
  }

  return (
    <span className="ob-grid__product">
      <Thumb address={item?.thumbnail} className="ob-thumb ob-grid__thumb" />
      <input
        data-row={index}
        data-col="item"
        className="ob-grid__input"
        role="combobox"
        aria-expanded={open}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={open ? `${listId}-${marked}` : undefined}
        aria-label={t("grid.item", { number: index + 1 })}
        aria-invalid={wrong}
        aria-describedby={describedBy}
        autoComplete="off"
        spellCheck={false}
        readOnly={line.locked === true}
        placeholder={index === 0 ? t("grid.itemHint") : ""}
        title={item === null ? undefined : `${item.key} · ${item.name}`}
        value={item?.name ?? line.search}
        onChange={({ target }) => type(target.value)}
        onClick={() => setOpen(item === null && line.locked !== true)}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      {item !== null && <span className="ob-quiet ob-small ob-cut ob-grid__key">{item.key}</span>}
      {open && (
        <Offered
          id={listId}
          search={search}
          marked={marked}
          onKnown={(products) => {
            offered.current = products;
          }}
          onChoose={choose}
        />
      )}
    </span>
  );
}

interface OfferedProps {
  id: string;
  search: string;
  marked: number;
  onKnown: (products: readonly OfferedProduct[] | undefined) => void;
  onChoose: (product: OfferedProduct) => void;
}

function Offered({ id, search, marked, onKnown, onChoose }: OfferedProps) {
  const { t } = useTranslation("orders");
  const asked = usePaused(search);
  const { data, isLoading } = useAnswer(
    "/api/items/offered",
    { query: { search: asked, limit: OFFERED } },
    { quiet: true, keepPreviousData: true, revalidateOnFocus: false },
  );
  const products = data ?? [];
  const known = asked === search && !isLoading && data !== undefined;
  useEffect(() => {
    onKnown(known ? products : undefined);
  });
  useEffect(() => {
    document.getElementById(`${id}-${marked}`)?.scrollIntoView({ block: "nearest" });
  }, [id, marked]);
  const [above, setAbove] = useState(false);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t("field.item")}
      className={above ? "ob-offered ob-offered--above" : "ob-offered"}
      ref={(list) => {
        const field = list?.parentElement?.getBoundingClientRect();
        if (field !== undefined) {
          setAbove(field.bottom + LIST_HEIGHT > window.innerHeight && field.top > LIST_HEIGHT);
        }
      }}
    >
      {products.map((product, place) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input handles the keys
        <div
          key={product.id}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === marked}
          className={
            place === marked
              ? "ob-bar ob-offered__one ob-offered__one--marked"
              : "ob-bar ob-offered__one"
          }
          // Keep the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(product)}
        >
          <Thumb address={product.thumbnail} />
          <span className="ob-stack ob-stack--tight ob-fill">
            <strong>{product.name}</strong>
            <span className="ob-quiet">{product.key}</span>
          </span>
        </div>
      ))}
      {products.length === 0 && (
        <div
          className="ob-offered__none ob-quiet"
          role="option"
          aria-selected={false}
          aria-disabled
        >
          {known ? t("grid.nothing") : "…"}
        </div>
      )}
    </div>
  );
}
