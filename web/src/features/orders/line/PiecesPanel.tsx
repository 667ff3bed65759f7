/** Show where the pieces of the line are: sums, and a row for each process. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { GapLink, useOpenGap } from "@/shared/form/gap";
import { formatNumber } from "@/shared/format/numbers";
import { formatInstant } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";
import { useProcessName } from "@/entities/processes";
import { useIsCustomer, useMayMove, useSignedIn } from "@/shared/session/session";
import { Grams } from "@/shared/ui/Facts";
import { piecesByProcess, piecesToReplace, type ProcessPieces } from "./pieces";
import "./PiecesPanel.css";

export function PiecesPanel({ line, onReplace }: { line: Line; onReplace: () => void }) {
  const { t } = useTranslation("orders");
  const isCustomer = useIsCustomer();
  const toReplace = piecesToReplace(line);
  const processes = piecesByProcess(line);
  const last = line.lastProductionProcess;
  return (
    <section className="ob-surface ob-padded ob-pieces" aria-labelledby="line-pieces">
      <h2 className="ob-below" id="line-pieces">
        {t("line.pieces")}
      </h2>
      <dl className="ob-bar ob-below">
        <Sum name={t("field.quantity")} pieces={line.quantity} />
        <Sum name={t("line.insideSum")} pieces={line.quantityInside} tone="in" />
        <Sum name={t("line.available")} pieces={line.quantityAvailable} />
        {line.quantityScrapped > 0 && (
          <Sum name={t("line.scrapped")} pieces={line.quantityScrapped} />
        )}
        {line.quantityReplaced > 0 && (
          <Sum name={t("line.replaced")} pieces={line.quantityReplaced} />
        )}
        {line.quantityScrapped > 0 && <Sum name={t("line.good")} pieces={line.quantityGood} />}
        {line.quantityBilled > 0 && <Sum name={t("line.billed")} pieces={line.quantityBilled} />}
        {line.metalGrams !== null && line.metalGrams > 0 && (
          <div className="ob-pieces__sum">
            <dt>{t("line.metal")}</dt>
            <dd>
              <Grams grams={line.metalGrams} />
            </dd>
          </div>
        )}
      </dl>
      {toReplace > 0 && (
        <p className="ob-below">
          <Button size="large" onClick={onReplace}>
            {t("line.replace", { count: toReplace })}
          </Button>
        </p>
      )}
      {processes.length === 0 && last === null && <p className="ob-quiet">{t("line.noPieces")}</p>}
      {processes.length === 0 && last !== null && !isCustomer && (
        <p className="ob-quiet">{t("line.outside", { process: last.productionProcessName })}</p>
      )}
      <NotAtWork line={line} />
      <ul className="ob-ruled">
        {processes.map((process) => (
          <ProcessRow
            key={process.productionProcessId}
            process={process}
            quantity={line.quantity + line.quantityReplaced}
            history={line.actions.history}
          />
        ))}
      </ul>
    </section>
  );
}

/**
 * Tell a user who may move pieces that they do not work in this line's process, and so cannot move
 * its pieces. Link to the form that changes this.
 */
function NotAtWork({ line }: { line: Line }) {
  const mayMove = useMayMove();
  const own = useSignedIn().user.productionProcessIds;
  const nameOf = useProcessName();
  const [place] = [...line.inside, ...line.waiting];
  if (!mayMove || line.actions.movements.length > 0 || place === undefined) return null;
  // A user who works in the process lacks a permission instead, so this text would be wrong.
  if (own.includes(place.productionProcessId)) return null;
  const { productionProcessId: id } = place;
  return <WorkersGap id={id} name={nameOf(id)} />;
}

function WorkersGap({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation("orders");
  const open = useOpenGap({ catalog: "production-processes", id });
  return (
    <p className="ob-note ob-below">
      {t("line.notAtWork", { process: name })}{" "}
      {open !== undefined && (
        <GapLink onOpen={open}>{t("line.workers", { process: name })}</GapLink>
      )}
    </p>
  );
}

function Sum({ name, pieces, tone }: { name: string; pieces: number; tone?: "in" }) {
  const look = tone === "in" && pieces > 0 ? "ob-pieces__sum--in" : "";
  return (
    <div className={`ob-pieces__sum ${look}`}>
      <dt>{name}</dt>
      <dd>{formatNumber(pieces, useLanguage())}</dd>
    </div>
  );
}

interface RowProps {
  process: ProcessPieces;
  quantity: number;
  /** Whether the user may read how many pieces have gone through a process. */
  history: boolean;
}

function ProcessRow({ process, quantity, history }: RowProps) {
  const { t } = useTranslation("orders");
  const { inside, completed, since, by } = process;
  const nameOf = useProcessName();
  const share = (pieces: number) => `${Math.min(100, (100 * pieces) / quantity)}%`;
  return (
    <li>
      <span className="ob-words ob-apart">
        <strong>{process.productionProcessName || nameOf(process.productionProcessId)}</strong>
        {inside > 0 && (
          <span className="ob-strong ob-pieces__inside">
            {t("pieces", { count: inside })} {t("line.inside")}
          </span>
        )}
      </span>
      <span className="ob-pieces__track" aria-hidden>
        <span className="ob-pieces__done" style={{ width: share(completed) }} />
        <span className="ob-pieces__now" style={{ width: share(inside) }} />
      </span>
      <span className="ob-words ob-apart ob-quiet ob-small">
        {history && <span>{t("line.through", { done: completed, all: quantity })}</span>}
        {since !== null && (
          <span>
            {by === null
              ? t("line.since", { since: formatInstant(since) })
              : t("line.insideSince", { since: formatInstant(since), by })}
          </span>
        )}
      </span>
    </li>
  );
}
