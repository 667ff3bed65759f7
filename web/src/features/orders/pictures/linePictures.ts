/** The pictures of lines: sent once the line is saved. See infra/docs/rules.md#pictures. */
import type { Line, SalesOrder } from "@/contract";
import { api, call, newKey } from "@/shared/http/client";
import { sendFile } from "@/shared/http/upload";
import { asJpeg } from "@/shared/picture/pictures";
import type { GridLine } from "../form/lines";

type Place = Pick<Line, "salesOrderId" | "position">;

export interface LinePicture extends Place {
  itemName: string;
  file: File;
}

/** The pictures chosen for new lines, by the positions that the server gave these, in their order. */
export function picturesOf(
  order: Pick<SalesOrder, "id">,
  items: readonly GridLine[],
  firstPosition = 1,
): LinePicture[] {
  return items.flatMap(({ item, picture }, index) =>
    picture !== null && "file" in picture
      ? [
          {
            salesOrderId: order.id,
            position: firstPosition + index,
            itemName: item?.name ?? "",
            file: picture.file,
          },
        ]
      : [],
  );
}

/** `onProgress` is called with how much has been sent, from 0 to 1. Throws ApiError. */
export async function sendLinePicture(
  { salesOrderId, position }: Place,
  file: File,
  onProgress: (part: number) => void,
): Promise<unknown> {
  const path = `/api/sales-order/${salesOrderId}/position/${position}/upload/document`;
  return sendFile(path, await asJpeg(file), {
    onProgress,
    headers: {
      "Content-Type": "image/jpeg",
      "File-Type": "image/jpeg",
      // By the time alone: the file's own name may hold letters that no header takes.
      "File-Name": `${Date.now()}.jpeg`,
      "Idempotency-Key": newKey(),
    },
  });
}

/** Leaves the line with its product's picture. */
export function removeLinePicture({ salesOrderId, position }: Place): Promise<Line> {
  return call(
    api.DELETE("/api/sales-order/{order_id}/position/{position}/document", {
      params: { path: { order_id: salesOrderId, position } },
    }),
  );
}
