/** Reorder the processes by mouse, finger, keyboard or buttons. Each move is saved at once. */
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import HolderOutlined from "@ant-design/icons/es/icons/HolderOutlined";
import UpOutlined from "@ant-design/icons/es/icons/UpOutlined";
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
} from "@dnd-kit/core";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import Button from "antd/es/button";
import Drawer from "antd/es/drawer";
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import type { ProductionProcess } from "@/contract";
import { useFocusBack, useNarrow } from "@/shared/hooks/browser";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { useProcessOrder } from "./useProcessOrder";
import "./reorder.css";

export default function ReorderDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["catalogs", "shared"]);
  const narrow = useNarrow();
  useFocusBack();
  const { rows, error, busy, move } = useProcessOrder();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const places = rows ?? [];
  const placeOf = (id: unknown) => places.findIndex((row) => row.id === id);
  const said = (key: "grabbed" | "over" | "dropped", id: unknown, place: number) =>
    t(`reorder.${key}`, { name: places[placeOf(id)]?.name ?? "", place: place + 1 });
  const announcements: Announcements = {
    onDragStart: ({ active }) => said("grabbed", active.id, placeOf(active.id)),
    onDragOver: ({ active, over }) =>
      over === null ? undefined : said("over", active.id, placeOf(over.id)),
    onDragEnd: ({ active, over }) =>
      over === null ? undefined : said("dropped", active.id, placeOf(over.id)),
    onDragCancel: ({ active }) => said("dropped", active.id, placeOf(active.id)),
  };

  function onDragEnd({ active, over }: DragEndEvent) {
    if (over !== null && over.id !== active.id) move(placeOf(active.id), placeOf(over.id));
  }

  return (
    <Drawer
      open
      size={narrow ? "100%" : 460}
      title={t("reorder.title")}
      closable={{ "aria-label": t("shared:action.close") }}
      onClose={onClose}
    >
      <p className="ob-quiet ob-below">{t("reorder.hint")}</p>
      {error !== undefined && <LoadFailed error={error} />}
      {rows === undefined && error === undefined && <Skeleton active paragraph={{ rows: 8 }} />}
      {rows?.length === 0 && (
        <EmptyState drawing="crucible" title={t("production-processes.empty")} />
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{
          announcements,
          screenReaderInstructions: { draggable: t("reorder.instructions") },
        }}
      >
        <SortableContext items={places} strategy={verticalListSortingStrategy}>
          <ol aria-busy={busy}>
            {places.map((row, place) => (
              <Row
                key={row.id}
                row={row}
                disabled={busy}
                up={place === 0 ? undefined : () => move(place, place - 1)}
                down={place === places.length - 1 ? undefined : () => move(place, place + 1)}
              />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
    </Drawer>
  );
}

interface RowProps {
  row: ProductionProcess;
  disabled: boolean;
  up: (() => void) | undefined;
  down: (() => void) | undefined;
}

function Row({ row, disabled, up, down }: RowProps) {
  const { t } = useTranslation("catalogs");
  const { name } = row;
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, ...sortable } =
    useSortable({ id: row.id, disabled });
  return (
    <li
      ref={setNodeRef}
      className={`ob-bar ob-reorder__row ${sortable.isDragging ? "ob-reorder__row--moving" : ""}`}
      style={{
        transform: transform === null ? undefined : `translate3d(0, ${transform.y}px, 0)`,
        transition,
      }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className="ob-reorder__grip"
        aria-label={t("reorder.grip", { name })}
        aria-describedby={sortable.attributes["aria-describedby"]}
        {...listeners}
      >
        <HolderOutlined aria-hidden />
      </button>
      <span className={row.status ? "" : "ob-quiet"}>{name}</span>
      <span className="ob-last">
        <Button
          size="large"
          type="text"
          icon={<UpOutlined aria-hidden />}
          aria-label={t("form.moveUp", { name })}
          disabled={disabled || up === undefined}
          onClick={up}
        />
        <Button
          size="large"
          type="text"
          icon={<DownOutlined aria-hidden />}
          aria-label={t("form.moveDown", { name })}
          disabled={disabled || down === undefined}
          onClick={down}
        />
      </span>
    </li>
  );
}
