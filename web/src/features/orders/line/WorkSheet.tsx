/**
 * Show the work sheet of a line as the workshop reads it: picture, order, dates, measures,
 * components.
 */
import QRCode from "antd/es/qr-code";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LINE_FIELDS, type Line } from "@/contract";
import { useOpenAddress } from "@/shared/http/picturePass";
import { useIsCustomer } from "@/shared/session/session";
import { Quantity } from "@/entities/standing/Quantity";
import { Delivery } from "../Figures";
import { fieldWord } from "../form/values";
import { useSheet } from "../orders.api";
import "./WorkSheet.css";

const ON_SHEET = LINE_FIELDS.sheet;

export function WorkSheet({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  const isCustomer = useIsCustomer();
  const { data: sheet } = useSheet(line.salesOrderId, line.position);
  return (
    <section className="ob-surface ob-padded" aria-labelledby="sheet-item">
      <p className="ob-sheet__house">
        {sheet?.logo === null && (
          <>
            <img src="./favicon.svg" alt="" width={32} height={32} />
            {sheet.companyName}
          </>
        )}
        {sheet !== undefined && sheet.logo !== null && (
          <img className="ob-sheet__logo" src={sheet.logo} alt={sheet.companyName} />
        )}
      </p>
      <div className="ob-sheet__top">
        <Picture
          address={line.image ?? line.itemDocuments[0]?.url ?? null}
          alt={t("line.itemImage", { item: line.itemName })}
        />
        <div className="ob-sheet__item">
          <h2 id="sheet-item">{line.itemName}</h2>
          <p className="ob-quiet">{line.itemKey}</p>
          <dl className="ob-sheet__facts">
            <Fact name={t("field.po")}>{line.customerSalesOrderId}</Fact>
            <Fact name={t("line.line")}>
              {sheet === undefined
                ? line.position
                : t("line.nOfTotal", { position: line.position, total: sheet.linesCount })}
            </Fact>
            <Fact name={t("field.quantity")}>
              <Quantity line={line} />
            </Fact>
            {ON_SHEET.filter((field) => field !== "notes").map((field) => (
              <Fact key={field} name={t(fieldWord(field))}>
                {line[field] || t("none")}
              </Fact>
            ))}
            <Fact name={t("field.deliveryDate")}>
              <Delivery day={line.deliveryDate} late={line.late} />
            </Fact>
            <Fact name={t("line.measures")}>{line.measures || t("none")}</Fact>
          </dl>
        </div>
        <div className="ob-sheet__customer">
          <Picture
            small
            address={line.customerDocuments[0]?.url ?? null}
            alt={t("line.customerImage", { customer: line.customerName })}
          />
          {!isCustomer && (
            <>
              <p className="ob-quiet">{t("line.quinto")}</p>
              <p className="ob-large ob-strong">{line.quinto || t("none")}</p>
            </>
          )}
          <p>{line.customerName}</p>
          {!isCustomer && <Code code={sheet?.code} />}
        </div>
      </div>
      {line.notes !== "" && (
        <p className="ob-note ob-note--danger ob-above ob-large ob-breaks">
          <strong>{t("line.notes")}:</strong> {line.notes}
        </p>
      )}
      <Components line={line} />
    </section>
  );
}

/** The code by which a station of the workshop opens the line. */
function Code({ code }: { code: string | undefined }) {
  const { t } = useTranslation("orders");
  return (
    <div className="ob-sheet__code">
      {code !== undefined && (
        <QRCode
          aria-label={t("line.code")}
          value={code}
          type="svg"
          size={132}
          style={{ width: "100%", height: "100%" }}
          errorLevel="H"
          bgColor="#fff"
          color="#000"
        />
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Show a placeholder if there is no picture or it cannot be loaded. */
function Picture(props: { address: string | null; alt: string; small?: boolean }) {
  const address = useOpenAddress(props.address);
  const { t } = useTranslation("orders");
  const [broken, setBroken] = useState<string | null>(null);
  const look = props.small === true ? "ob-picture ob-picture--small" : "ob-picture";
  if (address !== null && address !== broken) {
    return (
      <img className={look} src={address} alt={props.alt} onError={() => setBroken(address)} />
    );
  }
  return (
    <span className={`${look} ob-picture--none`}>
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="28" r="12" />
        <path d="M18 8h12l4 6-10 8-10-8z" />
      </svg>
      <span>{t("line.noImage")}</span>
    </span>
  );
}

function Components({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  return (
    <>
      <h3 className="ob-above ob-below" id="sheet-components">
        {t("line.components")}
      </h3>
      {line.components.length === 0 && <p className="ob-quiet">{t("line.noComponents")}</p>}
      {line.components.length > 0 && (
        <div role="region" aria-labelledby="sheet-components">
          <table className="ob-plain-table ob-sheet__components">
            <thead>
              <tr>
                <th scope="col">{t("line.component")}</th>
                <th scope="col">{t("line.material")}</th>
                <th scope="col">{t("line.materialDescription")}</th>
                <th scope="col">{t("line.componentNotes")}</th>
              </tr>
            </thead>
            <tbody>
              {line.components.map((component, index) => (
                <tr key={index}>
                  <td data-name={t("line.component")}>{component.componentName}</td>
                  <td data-name={t("line.material")}>{component.materialName}</td>
                  <td data-name={t("line.materialDescription")}>{component.materialDescription}</td>
                  <td data-name={t("line.componentNotes")}>{component.notes}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
