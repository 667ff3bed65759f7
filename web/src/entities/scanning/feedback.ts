/** Sound and vibration for yes and for no. */
import { useEffect } from "react";

type Tone = readonly [frequency: number, from: number, lasts: number];

const TONES: Record<"yes" | "no", { shape: OscillatorType; tones: readonly Tone[] }> = {
  yes: {
    shape: "sine",
    tones: [
      [880, 0, 0.09],
      [1_320, 0.09, 0.14],
    ],
  },
  no: {
    shape: "square",
    tones: [
      [196, 0, 0.18],
      [147, 0.22, 0.3],
    ],
  },
};
const SHAKES = { yes: [60], no: [120, 80, 120, 80, 120] };
const LOUDNESS = 0.25;

let context: AudioContext | null = null;

/** Prepare the sound at the first press, because browsers block it before. */
export function useSound(): void {
  useEffect(() => {
    const begin = () => {
      context ??= typeof AudioContext === "undefined" ? null : new AudioContext();
      // If the browser still blocks it, the next press tries again.
      if (context?.state === "suspended") context.resume().catch(() => undefined);
    };
    // Defer it: creating it takes so long that it splits a code that a scanner is typing.
    const wake = () => setTimeout(begin);
    window.addEventListener("pointerdown", wake, { capture: true });
    window.addEventListener("keydown", wake, { capture: true });
    return () => {
      window.removeEventListener("pointerdown", wake, { capture: true });
      window.removeEventListener("keydown", wake, { capture: true });
    };
  }, []);
}

export function answer(kind: "yes" | "no"): void {
  // Chromium does not vibrate before the first touch, and returns false.
  if ("vibrate" in navigator) navigator.vibrate(SHAKES[kind]);
  if (context === null || context.state !== "running") return;
  const { shape, tones } = TONES[kind];
  for (const [frequency, from, lasts] of tones) {
    const start = context.currentTime + from;
    const oscillator = new OscillatorNode(context, { type: shape, frequency });
    const gain = new GainNode(context, { gain: LOUDNESS });
    gain.gain.setTargetAtTime(0, start + lasts * 0.7, lasts * 0.1);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + lasts);
  }
}
