/**
 * The weights of a movement: the grams, and folded fields for stones, scrap and added metal. If the
 * loss is above the allowance, a field asks for the reason; the movement may be sent without one.
 */
import type { InputRef } from "antd/es/input";
import { useId, useState, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { formatGrams } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { LossNote } from "./LossNote";
import { AddedAlloy, TraySelect } from "./weighedWith";
import { WeightField } from "./WeightField";
import { WeightReason } from "./WeightReason";
import { isOver, MORE, needsGrams, toMilligrams, type Loss, type WeightDraft } from "./weights";

interface Props {
  type: "in" | "out";
  /** Whether the process asks for the weight. */
  required: boolean;
  /** Whether a required weight may be left out, because nothing can be sent now. */
  offline?: boolean;
  value: WeightDraft;
  onChange: (weights: WeightDraft) => void;
  /** Why the server refused the weight. */
  refused: { code: string; message: string } | null;
  /** What the leaving pieces weighed when they entered, as far as it is known. */
  entered?: number | null;
  /** How many of the leaving pieces are good, if others are scrapped by the same press: the weight is of these. */
  good?: number | undefined;
  /** The loss of the exit, as far as it is known. */
  loss: Loss | null;
  /** Called by Enter after a weight that can be sent. */
  onEnter?: () => void;
  ref?: Ref<InputRef>;
}

export function WeightFields(props: Props) {
  const { type, required, offline = false, value, onChange, refused, loss, onEnter, ref } = props;
  const { entered = null, good } = props;
  const { t } = useTranslation("weight");
  const language = useLanguage();
  const id = useId();
  const [isOpen] = useState(() => MORE[type].some((name) => value[name] !== null));
  const needed = required && !offline;
  const isHeavier = refused?.code === "grams_heavier";
  const asksWhy = isHeavier || value.weightReason !== "" || (loss !== null && isOver(loss));
  const isMissing = required && value.grams === null;
  const hint = isMissing ? t(offline ? "hint.offline" : "hint.required") : "";

  return (
    <div className="ob-stack ob-weights">
      <div className="ob-stack ob-stack--tight">
        {entered !== null && (
          <p>
            {t(good === undefined ? "entered" : "enteredWithScrap")}{" "}
            <strong>{formatGrams(toMilligrams(entered), language)}</strong>
          </p>
        )}
        <label className="ob-strong" htmlFor={`${id}grams`}>
          {good === undefined ? t("grams") : t("gramsOfGood", { count: good })}{" "}
          {!required && <span className="ob-quiet">{t("optional")}</span>}
        </label>
        <WeightField
          id={`${id}grams`}
          size="large"
          fromScale
          required={needsGrams(value, type, needed)}
          refused={
            refused && (isHeavier ? `${refused.message}. ${t(`heavier.${type}`)}` : refused.message)
          }
          value={value.grams}
          onChange={(grams) => onChange({ ...value, grams })}
          {...(hint === "" ? {} : { "aria-describedby": `${id}hint` })}
          {...(ref === undefined ? {} : { ref })}
          {...(onEnter === undefined ? {} : { onEnter })}
        />
        {hint !== "" && (
          <span className="ob-quiet" id={`${id}hint`}>
            {hint}
          </span>
        )}
        <TraySelect
          grams={value.grams}
          value={value.tray}
          onChange={(tray) => onChange({ ...value, tray })}
        />
      </div>
      {loss !== null && <LossNote loss={loss} />}
      {asksWhy && (
        <WeightReason
          of={isHeavier ? "heavier" : "loss"}
          value={value.weightReason}
          onChange={(weightReason) => onChange({ ...value, weightReason })}
        />
      )}
      <details className="ob-weights__more" open={isOpen}>
        <summary>{t(`more.${type}`)}</summary>
        <div className="ob-stack">
          {MORE[type].map((name) => (
            <div key={name} className="ob-stack ob-stack--tight">
              <label className="ob-strong" htmlFor={`${id}${name}`}>
                {t(name)}
              </label>
              <WeightField
                id={`${id}${name}`}
                size="large"
                fromZero
                value={value[name]}
                onChange={(grams) => onChange({ ...value, [name]: grams })}
              />
              {name === "addedGrams" && value.addedGrams !== null && (
                <AddedAlloy
                  value={value.addedAlloyId}
                  onChange={(addedAlloyId) => onChange({ ...value, addedAlloyId })}
                />
              )}
            </div>
          ))}
        </div>
      </details>
    </div>
  );
}
