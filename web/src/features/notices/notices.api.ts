/** What a person chose, and the browsers that get their pushes. */
import type { Schemas } from "@/contract";
import { api, call } from "@/shared/http/client";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { at, BELL, DEVICES, PREFERENCES } from "@/shared/http/keys";

export type Preferences = Schemas["NoticePreferencesOut"];
export type PreferencesChange = Schemas["NoticePreferencesChange"];
export type Device = Schemas["NoticeDeviceOut"];
export type Kind = Schemas["NoticeKind"];
export type Channel = Schemas["NoticeChannel"];

export const CHANNELS: readonly Channel[] = ["bell", "push", "mail"];

type Headers = { "Idempotency-Key": string };

export function usePreferences() {
  return useAnswer(PREFERENCES);
}

export function useDevices() {
  return useAnswer(DEVICES);
}

/**
 * Returns a function that changes what the person chose, and shows it before the server answers. Rejects with ApiError;
 * then what was chosen before is shown again.
 */
export function useChangePreferences(): (body: PreferencesChange) => Promise<void> {
  const { put, reload } = useAnswers();
  return async (body) => {
    let before: Preferences | undefined;
    await put(PREFERENCES, {}, (held) => {
      before = held;
      return held && drafted(held, body);
    });
    try {
      const changed = await call(api.PUT(PREFERENCES, { body }));
      await put(PREFERENCES, {}, () => changed);
    } catch (reason) {
      await put(PREFERENCES, {}, () => before);
      void reload(at(PREFERENCES)); // Somebody may have changed them in another tab.
      throw reason;
    }
    await reload(at(BELL));
  };
}

/** What the person chose, with a change that is not saved yet. */
export function drafted(held: Preferences, change: PreferencesChange): Preferences {
  const { kinds = [], ...times } = change;
  const channelsOf = new Map(kinds.map(({ kind, channels }) => [kind, channels]));
  return {
    ...held,
    ...times,
    kinds: held.kinds.map(({ kind, channels }) => ({
      kind,
      channels: channelsOf.get(kind) ?? channels,
    })),
  };
}

const place = (id: number) => ({ path: { device_id: id } });

export const removeDevice = (headers: Headers, id: number) =>
  call(api.DELETE("/api/notices/devices/{device_id}", { params: place(id), headers }));

export const tryDevice = (headers: Headers, id: number) =>
  call(api.POST("/api/notices/devices/{device_id}/test", { params: place(id), headers }));

/** The channels of a kind with one more, or without it. */
export function toggled(held: readonly Channel[], channel: Channel): Channel[] {
  return CHANNELS.filter((one) => held.includes(one) !== (one === channel));
}
