import type { LineDocument } from "@/contract";

/** Whether the server says that finished pieces of the line are on no bill. */
export const isToBill = ({ attention }: Pick<LineDocument, "attention">) =>
  attention.includes("toBill");
