/** Name a movement: on its button, after it was pressed, and in the lists. */
import { useTranslation } from "react-i18next";
import type { Movement } from "./queue/storage";

type Said = Pick<Movement, "type" | "quantity" | "productionProcessName" | "to" | "part" | "said">;

export function useMovementWords() {
  const { t } = useTranslation(["station", "talk"]);
  const say = (tense: "press" | "done", movement: Said) => {
    const { type, quantity: count, productionProcessName: process, to, part, said } = movement;
    if (type === "talk") {
      const kind = said === undefined ? "" : t(`talk:kind.${said.kind}`);
      const comes = typeof said?.comesTo === "number";
      return t(comes ? "calls.comes" : "calls.called", { kind, process });
    }
    if (part !== undefined) {
      const pieces = { count: count - part.quantity, scrapped: part.quantity, process };
      return to === null
        ? t(`${tense}.outPart`, pieces)
        : t(`${tense}.handOverPart`, { ...pieces, to: to.productionProcessName });
    }
    return type === "hand-over"
      ? t(`${tense}.handOver`, { count, process, to: to?.productionProcessName ?? "" })
      : t(`${tense}.${type}`, { count, process });
  };
  return {
    /** "Sacar 18 de Fundición" */
    toDo: (movement: Said) => say("press", movement),
    /** "Sacó 18 de Fundición" */
    done: (movement: Said) => say("done", movement),
  };
}
