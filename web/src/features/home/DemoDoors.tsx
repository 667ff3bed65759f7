/**
 * What the demo shows first: the wall, a station and a customer's page, and a switch that lets the
 * demo's people work while one looks.
 */
import CommentOutlined from "@ant-design/icons/es/icons/CommentOutlined";
import DesktopOutlined from "@ant-design/icons/es/icons/DesktopOutlined";
import TabletOutlined from "@ant-design/icons/es/icons/TabletOutlined";
import Switch from "antd/es/switch";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Start } from "@/shared/hooks/useStart";
import { api, call } from "@/shared/http/client";
import { useAnswer } from "@/shared/http/data";
import { OWN_PROCESSES } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { useSubmit } from "@/shared/ui/useSubmit";

interface Props {
  demo: NonNullable<Start["demo"]>;
  onChange: (start: Start) => void;
}

/** Rendered only for an administrator of a demo, who may open all three. */
export default function DemoDoors({ demo, onChange }: Props) {
  const { t } = useTranslation("home");
  const { data: processes = [] } = useAnswer(OWN_PROCESSES);
  const [busiest] = processes.toSorted((one, other) => other.piecesInside - one.piecesInside);
  const shares = useSubmit((headers) =>
    call(
      api.POST("/api/customer-links", {
        headers,
        body: { customerId: demo.customerId, days: 1, showsProcesses: true },
      }),
    ),
  );
  const moves = useSubmit((_headers, move: boolean) =>
    call(api.PUT("/api/start/demo-people", { body: { move } })),
  );

  async function onCustomer() {
    try {
      const link = await shares.submit();
      if (link === undefined) return;
      window.location.hash = `/c/${link.token}`;
    } catch (reason) {
      toastError(reason);
    }
  }

  async function onMove(move: boolean) {
    try {
      const start = await moves.submit(move);
      if (start !== undefined) onChange(start);
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <section aria-labelledby="demo">
      <h2 id="demo">{t("demo.title")}</h2>
      <ul className="ob-doors">
        <li className="ob-surface ob-doors__door">
          <DesktopOutlined aria-hidden />
          <Link to="/shop-floor">{t("demo.wall")}</Link>
          <span className="ob-quiet">{t("demo.wallHint")}</span>
        </li>
        <li className="ob-surface ob-doors__door">
          <TabletOutlined aria-hidden />
          <Link
            to={
              busiest === undefined
                ? "/shop-floor"
                : `/shop-floor/station/${busiest.productionProcessId}`
            }
          >
            {t("demo.station")}
          </Link>
          <span className="ob-quiet">{t("demo.stationHint")}</span>
        </li>
        <li className="ob-surface ob-doors__door">
          <CommentOutlined aria-hidden />
          <button type="button" disabled={shares.busy} onClick={() => void onCustomer()}>
            {t("demo.customer")}
          </button>
          <span className="ob-quiet">{t("demo.customerHint")}</span>
        </li>
      </ul>
      <p className="ob-row ob-above">
        <Switch
          id="demo-moves"
          checked={demo.movingUntil !== null}
          loading={moves.busy}
          aria-describedby="demo-moves-hint"
          onChange={(move) => void onMove(move)}
        />
        <span className="ob-fill">
          <label className="ob-strong" htmlFor="demo-moves">
            {t("demo.moves")}
          </label>{" "}
          <span className="ob-quiet" id="demo-moves-hint">
            {t("demo.movesHint")}
          </span>
        </span>
      </p>
    </section>
  );
}
