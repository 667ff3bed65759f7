/** A value outside React that components can subscribe to. */
import { useSyncExternalStore } from "react";

export interface External<T> {
  get: () => T;
  set: (value: T) => void;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
  /** Hook: the value, or the result of `select`, which must return the same object while nothing changes. */
  use: { (): T; <S>(select: (value: T) => S): S };
}

export function external<T>(value: T): External<T> {
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    subscribe,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: <S>(select?: (value: T) => S) =>
      useSyncExternalStore(subscribe, () => (select === undefined ? value : select(value)) as S),
  };
}
