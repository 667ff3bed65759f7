/** A record where the window is too narrow for a table. */
import type { ReactNode } from "react";
import { ActiveChip } from "@/shared/ui/ActiveChip";
import { isActive, type Entry } from "../catalog";
import { Thumb } from "@/shared/picture/Thumb";
import { RecordLink } from "@/shared/ui/RecordLink";
import "./list.css";

interface Props {
  record: Entry;
  name: string;
  lines: ReactNode[];
  pictured: boolean;
  onExpired: () => void;
}

export function EntryCard({ record, name, lines, pictured, onExpired }: Props) {
  const shown = lines.filter((line) => line !== "" && line !== null && line !== undefined);
  const active = isActive(record);
  return (
    <article className="ob-entry">
      {pictured && <Thumb address={record.thumbnail} onExpired={onExpired} />}
      <div className="ob-entry__words">
        <RecordLink id={record.id} className="ob-catalog__name">
          {name}
        </RecordLink>
        {shown.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of a card keep their places
          <p key={index}>{line}</p>
        ))}
      </div>
      {active !== undefined && <ActiveChip active={active} />}
    </article>
  );
}
