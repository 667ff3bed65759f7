/**
 * The list for the first day: what to set up, in a useful order, each with a link. An empty
 * installation also offers the sample workshop.
 */
import CheckCircleFilled from "@ant-design/icons/es/icons/CheckCircleFilled";
import Button from "antd/es/button";
import Popconfirm from "antd/es/popconfirm";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { STEP_PATHS, type Start, type useStart } from "@/shared/hooks/useStart";
import { useSubmit } from "@/shared/ui/useSubmit";
import { api, call } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";

export function StartList(props: ReturnType<typeof useStart>) {
  const { start, left, sample, answer, mutate } = props;
  const { t } = useTranslation("home");
  const { reload } = useAnswers();
  const before = useRef(sample);
  useEffect(() => {
    const wasLoading = before.current === "loading";
    before.current = sample;
    if (!wasLoading || (sample !== null && sample !== "loaded")) return;
    toast.success(t("start.sample.loaded"));
    void reload(() => true);
  }, [sample, reload, t]);
  if (start === null) return null;
  const { steps } = start;
  return (
    <section aria-labelledby="start">
      <h2 id="start">{t("start.title")}</h2>
      {sample === "loaded" && start.sampleHolds !== null && (
        <Loaded holds={start.sampleHolds} onRemoved={() => void mutate()} />
      )}
      {sample !== null && sample !== "loaded" && (
        <Sample state={sample} onEmpty={() => answer("empty")} onStarted={() => void mutate()} />
      )}
      <div className="ob-surface ob-padded">
        <p className="ob-words ob-apart ob-below">
          <span className="ob-quiet">
            {t("start.done", { done: steps.length - left, total: steps.length })}
          </span>
          <Button size="small" type="text" onClick={() => answer("over")}>
            {t("start.hide")}
          </Button>
        </p>
        <ol className="ob-ruled ob-start">
          {steps.map(({ name, done }) => (
            <li key={name} className={done ? "ob-bar ob-start__step--done" : "ob-bar"}>
              {done ? <CheckCircleFilled aria-hidden /> : <span className="ob-start__open" />}
              <span className="ob-fill">
                <Link to={STEP_PATHS[name]}>{t(`start.step.${name}`)}</Link>
                {done && <span className="ob-visually-hidden">{t("start.isDone")}</span>}
                {!done && (
                  <span className="ob-quiet ob-start__hint">{t(`start.hint.${name}`)}</span>
                )}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

interface SampleProps {
  state: Exclude<NonNullable<Start["sample"]>, "loaded">;
  onEmpty: () => void;
  onStarted: () => void;
}

/** Offer to load the sample workshop, to try the product with it. The user can decline. */
function Sample({ state, onEmpty, onStarted }: SampleProps) {
  const { t } = useTranslation("home");
  const { submit, busy } = useSubmit((headers) => call(api.POST("/api/start/sample", { headers })));

  async function load() {
    try {
      if ((await submit()) !== undefined) onStarted();
    } catch (reason) {
      toastError(reason);
    }
  }

  if (state === "loading") {
    return (
      <p className="ob-note ob-below" role="status">
        {t("start.sample.loading")}
      </p>
    );
  }
  return (
    <div className="ob-note ob-below">
      <p className="ob-below">
        {t(state === "failed" ? "start.sample.failed" : "start.sample.offer")}
      </p>
      <div className="ob-row">
        <Popconfirm
          placement="bottomLeft"
          classNames={{ root: "ob-start__ask" }}
          title={t("start.sample.ask")}
          okText={t("start.sample.accept")}
          cancelText={t("start.sample.keep")}
          onConfirm={() => void load()}
        >
          <Button loading={busy}>{t("start.sample.load")}</Button>
        </Popconfirm>
        <Button onClick={onEmpty}>{t("start.sample.empty")}</Button>
      </div>
    </div>
  );
}

interface LoadedProps {
  holds: NonNullable<Start["sampleHolds"]>;
  onRemoved: () => void;
}

/** Offer to remove the sample workshop. The question lists what goes. */
function Loaded({ holds, onRemoved }: LoadedProps) {
  const { t } = useTranslation("home");
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit((headers) =>
    call(api.DELETE("/api/start/sample", { headers })),
  );

  async function remove() {
    try {
      if ((await submit()) === undefined) return;
      toast.success(t("start.sample.removed"));
      await reload(() => true);
    } catch (reason) {
      toastError(reason);
    }
    onRemoved(); // also after a refusal: somebody has entered something
  }

  return (
    <div className="ob-note ob-below">
      <p className="ob-below">{t("start.sample.isLoaded")}</p>
      <Popconfirm
        placement="bottomLeft"
        classNames={{ root: "ob-start__ask" }}
        title={t("start.sample.removeAsk")}
        description={t("start.sample.goes", { ...holds })}
        okText={t("start.sample.removeAccept")}
        okButtonProps={{ danger: true }}
        cancelText={t("start.sample.removeKeep")}
        onConfirm={() => void remove()}
      >
        <Button loading={busy}>{t("start.sample.remove")}</Button>
      </Popconfirm>
    </div>
  );
}
