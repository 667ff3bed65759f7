/**
 * Write or correct the weights of a record in the history, after its movements. See
 * infra/docs/rules.md#metal.
 */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line, ProcessRecord } from "@/contract";
import { formatGrams } from "@/shared/format/numbers";
import type { Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { toast } from "@/shared/ui/toast";
import { weightProblem } from "@/entities/weight/readings";
import { WeightField } from "@/entities/weight/WeightField";
import { WeightReason } from "@/entities/weight/WeightReason";
import { isOver, lossOf, type Loss } from "@/entities/weight/weights";
import { weighRecord, type RecordWeights } from "../orders.writes";
import { isWeighed } from "../history/rows";
import { useSavedLine } from "../useSavedLine";
import { Confirm } from "./Confirm";
import { PopupFrame, WIDE } from "./PopupFrame";
import { RaceNote } from "./RaceNote";
import { useLineWrite } from "./useLineWrite";

/** The weights that may be 0: nothing was cut off, or there are no stones. */
const FROM_ZERO: readonly Name[] = ["scrapGrams", "otherGrams"];
type Name = Exclude<keyof RecordWeights, "weightReason">;

interface Props {
  line: Line;
  record: ProcessRecord;
  onClose: () => void;
}

/** The weights that a record may have. Pieces that are inside or scrapped have no weight out. */
function namesOf({ outputDate, scrapReason }: ProcessRecord): readonly Name[] {
  if (outputDate === null) return ["gramsIn", "otherGrams"];
  if (scrapReason !== null) return ["gramsIn", "scrapGrams", "otherGrams"];
  return ["gramsIn", "gramsOut", "scrapGrams", "otherGrams"];
}

/**
 * The loss of the record with the typed weights. Null if the weight in or out is unknown, or the
 * pieces are still inside.
 */
function lossWith(record: ProcessRecord, typed: Partial<Record<Name, Typed>>): Loss | null {
  const given = (name: Name) => (typeof typed[name] === "number" ? typed[name] : null);
  const metal = (name: Name, known: number | null) => {
    const grams = given(name);
    return grams === null ? known : grams - (given("otherGrams") ?? 0);
  };
  const [came, out] = [metal("gramsIn", record.gramsIn), metal("gramsOut", record.gramsOut)];
  const scrap = given("scrapGrams") ?? record.scrapGrams;
  const left = record.scrapReason === null ? out : scrap === null ? null : 0;
  if (came === null || left === null) return null;
  const gramsIn = came + (record.gramsAdded ?? 0);
  return lossOf(gramsIn - left - (scrap ?? 0), gramsIn, record.allowedLoss);
}

export function WeighPopup({ record, onClose, ...props }: Props) {
  const { t } = useTranslation("orders");
  const language = useLanguage();
  const id = useId();
  const savedLine = useSavedLine();
  const title = t(isWeighed(record) ? "weigh.correctTitle" : "weigh.title");
  const { send, busy, race, failure, refusal, forget, line } = useLineWrite(
    props.line,
    weighRecord,
  );
  const [typed, setTyped] = useState<Partial<Record<Name, Typed>>>({});
  const [why, setWhy] = useState("");
  const names = namesOf(record);
  const known: Record<Name, number | null> = {
    gramsIn: record.gramsIn,
    gramsOut: record.gramsOut,
    scrapGrams: record.scrapGrams,
    otherGrams: record.gramsOther,
  };
  const isWrong = (name: Name) =>
    weightProblem(typed[name] ?? null, false, FROM_ZERO.includes(name)) !== null;
  const isHeavier = refusal?.code === "grams_heavier";
  const refusedAt = (name: Name) =>
    refusal?.errors.find(({ field }) => field === name)?.message ?? null;
  const loss = lossWith(record, typed);
  const isAbove = loss !== null && isOver(loss);
  const isAtField = names.some((name) => refusedAt(name) !== null);
  const scaled = names.includes("gramsOut") && record.gramsOut === null ? "gramsOut" : "gramsIn";
  const wrong = names.some(isWrong) || names.every((name) => (typed[name] ?? null) === null);

  async function accept() {
    const body: RecordWeights = why.trim() === "" ? {} : { weightReason: why.trim() };
    for (const name of names) {
      const grams = typed[name];
      if (typeof grams === "number") body[name] = grams;
    }
    if ((await send(record.id, body)) === undefined) return;
    const name = t("weigh.saved", { process: record.productionProcessName });
    toast.saved({ ...savedLine(line), name });
    onClose();
  }

  return (
    <PopupFrame line={line} width={WIDE} title={title} busy={busy} onClose={onClose}>
      {race !== null && <RaceNote race={race} line={line} />}
      <Confirm
        question={t("weigh.question", {
          count: record.quantity,
          process: record.productionProcessName,
        })}
        accept={t("weigh.accept")}
        wrong={wrong}
        failure={isAtField ? null : failure}
        busy={busy}
        onCancel={onClose}
        onAccept={() => void accept()}
      >
        {names.map((name) => (
          <div key={name} className="ob-stack ob-stack--tight ob-popup__field">
            <label className="ob-strong" htmlFor={`${id}${name}`}>
              {t(`weigh.${name}`)}
            </label>
            <WeightField
              id={`${id}${name}`}
              size="large"
              fromZero={FROM_ZERO.includes(name)}
              fromScale={name === scaled}
              refused={refusedAt(name)}
              value={typed[name] ?? null}
              aria-describedby={`${id}${name}-known`}
              onChange={(grams) => {
                forget();
                setTyped({ ...typed, [name]: grams });
              }}
            />
            <span className="ob-quiet" id={`${id}${name}-known`}>
              {known[name] === null
                ? t("weigh.unknown")
                : t("weigh.known", { grams: formatGrams(known[name], language) })}
            </span>
          </div>
        ))}
        {(isHeavier || isAbove || why !== "") && (
          <WeightReason of={isHeavier ? "heavier" : "loss"} value={why} onChange={setWhy} />
        )}
      </Confirm>
    </PopupFrame>
  );
}
