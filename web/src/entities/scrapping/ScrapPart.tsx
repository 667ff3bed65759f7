/**
 * Say that a part of the leaving pieces is scrapped: how many, why, and if wanted a note, their
 * weight and a photo. Folded until somebody asks for it, so that an exit without scrap is as short
 * as ever.
 */
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { NumberField } from "@/shared/form/NumberField";
import { PhotoField } from "@/shared/picture/PhotoField";
import { ScrapWeights } from "@/entities/weight/ScrapWeights";
import { mostOfPart, NEW_PART, partProblem, type PartDraft } from "./part";
import "./scrapping.css";

const NOTES_MOST = 200;
const MINUS = "−";
const PLUS = "+";

interface Props {
  value: PartDraft | null;
  /** How many pieces leave in all, and how many of them the user may scrap. */
  leaving: number;
  mayScrap: number;
  reasons: readonly { key: string; name: string }[];
  weighs: boolean;
  onChange: (part: PartDraft | null) => void;
}

export function ScrapPart({ value, leaving, mayScrap, reasons, weighs, onChange }: Props) {
  const { t } = useTranslation("forms");
  const id = useId();
  const most = mostOfPart(leaving, mayScrap);
  if (value === null) {
    if (most < 1 || reasons.length === 0) return null;
    return (
      <Button
        block
        size="large"
        className="ob-part__open"
        aria-expanded={false}
        onClick={() => onChange(NEW_PART)}
      >
        {t("part.open")}
      </Button>
    );
  }
  const { pieces, reason, notes, grams, otherGrams, photo } = value;
  const change = (next: Partial<PartDraft>) => onChange({ ...value, ...next });
  const count = typeof pieces === "number" ? pieces : null;
  const tooMany = most < leaving - 1 ? t("part.only", { count: most }) : t("part.all");
  return (
    <section className="ob-stack ob-surface ob-padded" aria-labelledby={id}>
      <div className="ob-row ob-apart">
        <h3 id={id}>{t("part.title", { count: leaving })}</h3>
        <Button size="large" className="ob-part__open" onClick={() => onChange(null)}>
          {t("part.none")}
        </Button>
      </div>
      <div className="ob-row ob-part__pieces">
        <Button
          size="large"
          aria-label={t("part.fewer")}
          disabled={count === null || count <= 1}
          onClick={() => change({ pieces: (count ?? 1) - 1 })}
        >
          {MINUS}
        </Button>
        <NumberField
          size="large"
          rule={{ least: 1, most }}
          words={{ tooMany, missing: t("number.howMany") }}
          aria-label={t("part.pieces")}
          value={pieces}
          onChange={(typed) => change({ pieces: typed })}
        />
        <Button
          size="large"
          aria-label={t("part.more")}
          disabled={count === null || count >= most}
          onClick={() => change({ pieces: (count ?? 1) + 1 })}
        >
          {PLUS}
        </Button>
      </div>
      <div className="ob-part__reasons" role="group" aria-label={t("part.why")}>
        {reasons.map(({ key, name }) => (
          <Button
            key={key}
            block
            size="large"
            type={key === reason ? "primary" : "default"}
            danger
            aria-pressed={key === reason}
            onClick={() => change({ reason: key })}
          >
            {name}
          </Button>
        ))}
      </div>
      {partProblem(value, most) === "reason" && (
        <p className="ob-doubtful" role="status">
          {t("part.why")}
        </p>
      )}
      {weighs && (
        <ScrapWeights grams={grams} otherGrams={otherGrams} fromScale={false} onChange={change} />
      )}
      <Input
        size="large"
        className="ob-part__note"
        value={notes}
        maxLength={NOTES_MOST}
        aria-label={t("part.notes")}
        placeholder={t("part.notes")}
        autoComplete="off"
        onChange={({ target }) => change({ notes: target.value })}
      />
      <PhotoField value={photo} onChange={(next) => change({ photo: next })} />
    </section>
  );
}
