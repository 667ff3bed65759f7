/** Calls for the user's notice preferences, and for the browsers that get their pushes. */
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
 * Return a function that changes the user's preferences. It shows the change before the server
 * answers. If the call fails, it shows the earlier preferences again and rejects with ApiError.
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
      void reload(at(PREFERENCES)); // They may have changed in another tab.
      throw reason;
    }
    await reload(at(BELL));
  };
}

/** Return the preferences with a change that is not saved yet. */
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

/** Add a channel, or remove it if it is there. */
export function toggled(held: readonly Channel[], channel: Channel): Channel[] {
  return CHANNELS.filter((one) => held.includes(one) !== (one === channel));
}
