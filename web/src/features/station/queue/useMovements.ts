/** The queue of this tab, as hooks. It continues to send while the user is on other pages. */
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { useLiveStatus } from "@/live/LiveProvider";
import { sendSignOuts } from "@/shared/http/signOuts";
import { MovementQueue, type QueueState } from "./MovementQueue";
import { sendMovement, type Settled } from "./sending";

export const movements = new MovementQueue({
  send: (movement) => sendMovement(movement, Date.now() - movement.turn),
});

export function useMovements(): QueueState {
  return useSyncExternalStore(movements.subscribe, () => movements.state);
}

export function useSettled(listener: (settled: Settled) => void): void {
  const onSettled = useEffectEvent(listener);
  useEffect(() => movements.onSettled((settled) => onSettled(settled)), []);
}

/** Send what waits. Sign-outs that the server has not received go first. */
const drain = () => void sendSignOuts().then(() => movements.drain());

/** Send what an earlier tab or session left, and try again as soon as the server may be back. */
export function useSending(): void {
  const { state } = useLiveStatus();
  useEffect(() => {
    void sendSignOuts().then(() => movements.start());
  }, []);
  useEffect(() => {
    if (state === "live") drain();
  }, [state]);
  useEffect(() => {
    window.addEventListener("online", drain);
    return () => window.removeEventListener("online", drain);
  }, []);
}
