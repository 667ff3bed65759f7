/** Send the pictures of saved lines. See infra/docs/rules.md#pictures. */
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

/**
 * Return the pictures chosen for new lines. The server numbers the lines in order, starting at
 * `firstPosition`.
 */
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

/** Send the picture of a line. `onProgress` gets the part sent, from 0 to 1. Throws ApiError. */
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
      // Use only the time: the file's name may contain letters that a header cannot.
      "File-Name": `${Date.now()}.jpeg`,
      "Idempotency-Key": newKey(),
    },
  });
}

/** Remove the line's own picture, so that its product's picture is shown. */
export function removeLinePicture({ salesOrderId, position }: Place): Promise<Line> {
  return call(
    api.DELETE("/api/sales-order/{order_id}/position/{position}/document", {
      params: { path: { order_id: salesOrderId, position } },
    }),
  );
}
