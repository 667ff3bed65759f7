/** Reads codes from the camera: with the browser's own detector, else with a library that is loaded only then. */
import { untilLoaded } from "@/shared/network";

interface Detector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}

declare global {
  interface Window {
    /** Only some browsers have it, and TypeScript's library does not know it. */
    BarcodeDetector?: new (options: { formats: string[] }) => Detector;
  }
}

const BETWEEN_LOOKS = 200;

/**
 * Resolves once the camera runs and can be read; each code that it sees is handed on once. `onLate` hears that its reader did not
 * come at first. Rejects where there is no camera to use.
 */
export async function readCodes(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onCode: (text: string) => Promise<void>,
  onLate: () => void,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment" },
  });
  const end = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  signal.addEventListener("abort", end);
  if (signal.aborted) {
    end();
    return;
  }
  video.srcObject = stream;
  await video.play();
  const detector = await makeDetector(onLate);
  let last = "";
  const look = async () => {
    const [seen] = await detector.detect(video).catch(() => []); // A frame that is not there yet.
    if (seen !== undefined && seen.rawValue !== last && !signal.aborted) {
      last = seen.rawValue;
      await onCode(last);
    }
    if (!signal.aborted) setTimeout(() => void look(), BETWEEN_LOOKS);
  };
  void look();
}

async function makeDetector(onLate: () => void): Promise<Detector> {
  const { BarcodeDetector: own } = window;
  if (own !== undefined) return new own({ formats: ["qr_code"] });
  const { BrowserQRCodeReader } = await untilLoaded(() => import("@zxing/browser"), onLate);
  const reader = new BrowserQRCodeReader();
  const canvas = document.createElement("canvas");
  return {
    detect: async (video) => {
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
      canvas.getContext("2d")?.drawImage(video, 0, 0);
      return [{ rawValue: reader.decodeFromCanvas(canvas).getText() }];
    },
  };
}
