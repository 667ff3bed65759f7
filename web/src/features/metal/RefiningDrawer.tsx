/** One refining: what each process put in, what came back, and the form for its return. */
import Button from "antd/es/button";
import Drawer from "antd/es/drawer";
import Form from "antd/es/form";
import TextArea from "antd/es/input/TextArea";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FinenessField } from "@/shared/form/FinenessField";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { formatPerMille } from "@/shared/format/numbers";
import { formatDay } from "@/shared/format/plant";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useFocusBack, useNarrow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { Fact, Facts, Grams } from "@/shared/ui/Facts";
import { ASSAY, ChoiceItem, GramsItem, orNull, TEXT_MOST } from "./fields";
import { returnRefined, useReloadMetal, type Refining } from "./metal.api";
import { REFINING } from "@/entities/metal/paths";

const WIDTH = 760;

interface Props {
  refining: Refining;
  onClose: () => void;
}

export function RefiningDrawer({ refining, onClose }: Props) {
  const { t } = useTranslation(["metal", "shared"]);
  const language = useLanguage();
  const narrow = useNarrow();
  useFocusBack();
  const mayManage = useMay("ManageMetal");
  const [returning, setReturning] = useState(false);
  return (
    <Drawer
      open
      title={t("refining.one", { partner: refining.partner, day: formatDay(refining.sentAt) })}
      size={narrow ? "100%" : WIDTH}
      closable={{ "aria-label": t("shared:action.close") }}
      onClose={onClose}
      footer={
        <div className="ob-drawer-footer">
          {mayManage && refining.returnedAt === null && (
            <Button type="primary" onClick={() => setReturning(true)}>
              {t("refining.return")}
            </Button>
          )}
          <Button onClick={onClose}>{t("shared:action.close")}</Button>
        </div>
      }
    >
      <div className="ob-stack ob-stack--wide">
        <Facts>
          <Fact name={t("column.alloy")}>{refining.alloyName}</Fact>
          <Fact name={t("column.sentGrams")}>
            <Grams grams={refining.sentGrams} />
          </Fact>
          <Fact name={t("column.expectedFine")}>
            <Grams grams={refining.expectedFineGrams} />
          </Fact>
          {refining.returnedAt !== null && (
            <>
              <Fact name={t("column.returned")}>
                <Grams grams={refining.returnedGrams} /> {refining.returnedAlloyName} ·{" "}
                {formatDay(refining.returnedAt)}
              </Fact>
              <Fact name={t("column.assay")}>
                {refining.assay === null ? t("none") : formatPerMille(refining.assay, language)}
              </Fact>
              <Fact name={t("column.returnedFine")}>
                <Grams grams={refining.returnedFineGrams} />
              </Fact>
              <Fact name={t("column.missingFine")}>
                <Grams grams={refining.differenceFineGrams} />
              </Fact>
            </>
          )}
          <Fact name={t("column.by")}>{refining.sentBy}</Fact>
        </Facts>
        <Shares refining={refining} />
      </div>
      {returning && <ReturnDrawer refining={refining} onClose={() => setReturning(false)} />}
    </Drawer>
  );
}

/** The difference, shared among the processes in proportion to what each put in. */
function Shares({ refining: { shares } }: { refining: Refining }) {
  const { t } = useTranslation("metal");
  return (
    <section className="ob-surface ob-metal-wide" aria-label={t("refining.shares")}>
      <table className="ob-plain-table ob-metal-figures">
        <thead>
          <tr>
            <th scope="col">{t("column.process")}</th>
            <th scope="col">{t("column.sentGrams")}</th>
            <th scope="col">{t("column.expectedFine")}</th>
            <th scope="col">{t("column.returnedFine")}</th>
            <th scope="col">{t("column.missingFine")}</th>
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <tr key={share.productionProcessId ?? "scrap"}>
              <th scope="row">{share.productionProcessName ?? t("kind.scrap")}</th>
              {(
                [
                  "sentGrams",
                  "expectedFineGrams",
                  "returnedFineGrams",
                  "differenceFineGrams",
                ] as const
              ).map((figure) => (
                <td key={figure}>
                  <Grams grams={share[figure]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const FIELDS = ["alloyId", "grams", "assay", "notes"] as const;

interface Values {
  alloyId: number | null;
  grams: Typed;
  assay: Typed;
  notes: string;
}

/** Book what came back from the refinery into the vault. */
function ReturnDrawer({ refining, onClose }: Props) {
  const { t } = useTranslation("metal");
  const reload = useReloadMetal();
  return (
    <FormDrawer<Values>
      title={t("refining.return")}
      name={`metal/refinings/${refining.id}/return`}
      saveLabel={t("refining.save")}
      initial={{ alloyId: null, grams: null, assay: null, notes: "" }}
      fields={FIELDS}
      save={async (headers, { alloyId, grams, assay, notes }) => {
        const back = await returnRefined(headers, refining.id, {
          alloyId: taken(alloyId),
          grams: taken(grams),
          assay: orNull(assay),
          notes: notes.trim(),
        });
        reload();
        const name = t("refining.one", { partner: back.partner, day: formatDay(back.sentAt) });
        return { name, path: `${REFINING}?record=${back.id}` };
      }}
      describe={(field, values) => ({
        label: t(`field.${field}`),
        text: String(values[field] ?? ""),
      })}
      onClose={onClose}
    >
      <ChoiceItem name="alloyId" label={t("field.alloyId")} catalog="alloys" />
      <GramsItem name="grams" label={t("field.grams")} />
      <Form.Item name="assay" label={t("field.assay")} extra={t("refining.assayHint")}>
        <FinenessField rule={ASSAY} />
      </Form.Item>
      <Form.Item name="notes" label={t("field.notes")}>
        <TextArea maxLength={TEXT_MOST} showCount autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}
