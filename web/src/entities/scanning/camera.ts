/** Read codes from the camera, with the browser's own detector or else with a library that is loaded on demand. */
import { untilLoaded } from "@/shared/network";

interface Detector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}

declare global {
  interface Window {
    /** Only some browsers have it, and TypeScript's library does not declare it. */
    BarcodeDetector?: new (options: { formats: string[] }) => Detector;
  }
}

const BETWEEN_LOOKS = 200;

/**
 * Start the camera and call `onCode` for each new code. Resolves once the camera runs and the reader is loaded;
 * `onLate` runs if the reader fails to load at first. Rejects if no camera can be used. `signal` stops the camera.
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
    const [seen] = await detector.detect(video).catch(() => []); // No code in this frame, or no frame yet.
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
