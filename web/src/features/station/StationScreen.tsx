/**
 * The screen of a station: who works, what is inside, what may enter, what moved last, and an
 * opened line over all of it.
 */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BatchCard, Station } from "@/contract";
import { formatTime } from "@/shared/format/plant";
import { stationWith } from "@/live/stations";
import { useNow } from "@/shared/hooks/browser";
import { newKey } from "@/shared/http/client";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { BATCH_CARDS, STATION } from "@/shared/http/keys";
import { usePlant } from "@/entities/processes";
import { useMay } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { scale } from "@/entities/weight/scale";
import { operatorWorked, useWorker } from "./operator";
import { nameOf, withoutBatched, workAt } from "./possible";
import { AT_ONCE } from "./queue/sending";
import type { Movement } from "./queue/storage";
import { movements as queue, useMovements, useSettled } from "./queue/useMovements";
import { answer } from "@/entities/scanning/feedback";
import { StationCalls, useSaying } from "./Calls";
import { useKeptFocus, useTapsMeant } from "./hands";
import { LastPress } from "./LastPress";
import { Missing } from "./Missing";
import { OpenedLine } from "./OpenedLine";
import { PinnedMovement, RecentList, rowsOfPress, useHandOvers, useUndoable } from "./RecentList";
import { serverTime } from "./serverTime";
import { OpenedBatch, StationBatches, type PressedBatch } from "./StationBatches";
import { StationHead } from "./StationHead";
import type { Asking, Pressed, Show, Worker } from "./types";
import { useOpened } from "./useOpened";
import { WaitingList } from "./WaitingList";
import { WorkList } from "./WorkList";

const EVERY_TEN_SECONDS = 10_000;
const FLASH_LASTS = 450;

interface Props {
  station: Station;
  /** When the data was last up to date, in ms; null while it is live. */
  staleSince: number | null;
}

export function StationScreen({ station, staleSince }: Props) {
  const { t } = useTranslation("station");
  const now = useNow(EVERY_TEN_SECONDS);
  const worker = useWorker(station.process.productionProcessId, now);
  const { put, reload } = useAnswers();
  const asked = { path: { process_id: station.process.productionProcessId } };
  const mayReadHistory = useMay("SalesOrderPositionRecord");
  const { movements, stored, reached } = useMovements();
  usePlant(); // `workAt` reads which processes weigh
  const work = workAt(station, movements);
  const { flash, show } = useFlash();
  const [asking, setAsking] = useState<Asking>(null);
  const batches = useBatchesHere(station);
  const [batch, setBatch] = useState<PressedBatch | null>(null);
  const opened = useOpened(station, work, worker, show, staleSince === null);
  const { press, last, alone, forget } = usePress(station, worker, show);
  const say = useSaying(station, worker, show);

  const forgetLine = (line: Parameters<typeof nameOf>[0]) => {
    if (last !== null && nameOf(last.line) === nameOf(line)) forget();
  };
  const undoable = useUndoable(station, worker, now, (row) => {
    show("yes");
    forgetLine(row);
  });
  // Movements that wait to be sent are newer than all that the server knows. So pin none of its
  // movements.
  const unsent = movements.some(({ refused }) => refused === null);
  const pinned = last === null && !unsent ? station.recent.find(undoable.mayUndo) : undefined;
  const handedOver = useHandOvers(station);

  useKeptFocus();
  useTapsMeant(
    `${opened.line === null} ${opened.turn} ${asking} ${last === null} ${pinned?.recordId} ${batch?.id}`,
  );

  useSettled(({ movement, sent }) => {
    // The press was confirmed optimistically, so signal the refusal.
    if (sent.kind === "refused") {
      show("no");
      // If the worker is still there, reopen the line as they left it. The movement stays in the
      // list of refused ones too.
      const isAwaited =
        movement.key === alone && movement.undo === null && movement.userId === worker.id;
      const isFresh = Date.now() - movement.turn < AT_ONCE;
      if (isAwaited && isFresh && opened.line === null && asking === null) {
        opened.reopen(movement, sent.why);
      }
      return undefined;
    }
    if (movement.undo !== null) {
      toast.success(t("done.undone"));
      void reload(([path]) => path === STATION);
    }
    const { line } = sent;
    // No event tells this account who moved what, so load the station again.
    if (!mayReadHistory) void reload(([path]) => path === STATION);
    // The event of the press may come later than its answer, so update the lists at once.
    if (line !== null) void put(STATION, asked, (kept) => kept && stationWith(kept, line));
    return undefined;
  });

  const rows = withoutBatched([...work.values()], batches);
  const mayEnter = station.process.active ? rows.filter(({ maxIn }) => maxIn > 0) : [];
  return (
    <div className="ob-stack ob-stack--wide ob-station">
      {flash !== null && (
        <div key={flash.turn} className={`ob-station__flash ob-station__flash--${flash.kind}`} />
      )}
      <StationHead
        station={station}
        worker={worker}
        opened={opened}
        asking={asking}
        onAsk={setAsking}
        show={show}
      />
      {staleSince !== null && (
        <p className="ob-note ob-note--warning ob-doubtful ob-large ob-strong" role="status">
          {t("offline", { time: formatTime(new Date(staleSince)) })}
        </p>
      )}
      {!stored && (
        <p
          className="ob-note ob-note--warning ob-doubtful ob-large ob-strong ob-station__band--loud"
          role="alert"
        >
          {t("notStored")}
        </p>
      )}
      {!station.process.active && (
        <p className="ob-note ob-note--warning ob-doubtful ob-large ob-strong">{t("inactive")}</p>
      )}
      <Missing station={station} worker={worker} />
      {opened.problem !== null && opened.line === null && asking === null && (
        <p
          className="ob-note ob-note--warning ob-doubtful ob-large ob-strong ob-station__band--loud ob-station__band--stays"
          role="alert"
        >
          {opened.problem}
        </p>
      )}
      <WaitingList processId={station.process.productionProcessId} onTakeBack={forgetLine} />
      <StationCalls rows={rows} onSay={say} />
      <StationBatches station={station} batches={batches} onPress={setBatch} />
      <div className="ob-station__lists">
        <WorkList
          kind="out"
          rows={rows.filter(({ maxOut }) => maxOut > 0)}
          now={now}
          onOpen={opened.open}
        />
        <WorkList
          kind="in"
          rows={mayEnter.filter(({ ready }) => ready > 0)}
          later={mayEnter.filter(({ ready }) => ready === 0)}
          now={now}
          onOpen={opened.open}
        />
        <RecentList station={station} undoable={undoable} now={now} />
      </div>
      {opened.line !== null && (
        <OpenedLine
          key={nameOf(opened.line.work)}
          station={station}
          line={opened.line}
          worker={worker}
          turn={opened.turn}
          draft={opened.draft}
          resumed={opened.resumed}
          problem={opened.problem}
          reading={opened.reading}
          offline={staleSince !== null || !reached}
          onDraft={opened.type}
          onSay={say}
          onClose={opened.close}
          onPress={(what) => {
            opened.close();
            // This press replaces the refused movement, so drop that one.
            if (opened.refused !== null) void queue.takeBack(opened.refused);
            return press(what);
          }}
        />
      )}
      {batch !== null && (
        <OpenedBatch
          key={batch.id}
          pressed={batch}
          worker={worker}
          show={show}
          onClose={() => setBatch(null)}
        />
      )}
      {pinned !== undefined && (
        <PinnedMovement
          row={pinned}
          rows={rowsOfPress(station, pinned)}
          handedOver={rowsOfPress(station, pinned).map(handedOver).find(Boolean)}
          onTakeBack={undoable.takeBack}
        />
      )}
      {last !== null && (
        <LastPress
          key={last.key}
          movement={last}
          station={station}
          worker={worker}
          show={show}
          onEnd={forget}
        />
      )}
    </div>
  );
}

/** The batches of the station's process that are open or inside. */
function useBatchesHere({ process }: Station): readonly BatchCard[] {
  const { data = [] } = useAnswer(BATCH_CARDS, {}, { quiet: true });
  const id = process.productionProcessId;
  return data.filter(({ productionProcessId }) => productionProcessId === id);
}

/** Signal yes or no on the whole screen, with color and sound. */
function useFlash() {
  const [flash, setFlash] = useState<{ kind: "yes" | "no"; turn: number } | null>(null);
  useEffect(() => {
    if (flash === null) return undefined;
    const timer = setTimeout(() => setFlash(null), FLASH_LASTS);
    return () => clearTimeout(timer);
  }, [flash]);
  const show: Show = (kind) => {
    answer(kind);
    setFlash((before) => ({ kind, turn: (before?.turn ?? 0) + 1 }));
  };
  return { flash, show };
}

/** Keep a press, confirm it at once, and let the queue send it. */
function usePress({ process }: Station, worker: Worker, show: Show) {
  const [last, setLast] = useState<Movement | null>(null);
  /**
   * The key of the last press, if nothing else waited: then the answer comes while the worker is
   * still there.
   */
  const [alone, setAlone] = useState<string | null>(null);

  async function press(pressed: Pressed): Promise<void> {
    const key = newKey();
    setAlone(queue.state.movements.some(({ refused }) => refused === null) ? null : key);
    const kept = queue.press({
      ...pressed,
      key,
      userId: worker.id,
      userName: worker.fullName,
      operatorToken: worker.operatorToken,
      productionProcessId: process.productionProcessId,
      productionProcessName: process.productionProcessName,
      madeAt: new Date(serverTime()).toISOString(),
      undo: null,
    });
    show("yes");
    scale.use();
    operatorWorked(worker);
    setLast(await kept);
  }

  return { press, last, alone, forget: () => setLast(null) };
}
