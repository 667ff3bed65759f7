/** Load a component's code when it is first shown. If the code fails to load, show a message in its place and retry. */
import { Suspense, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { external } from "@/shared/external";
import { loadMissingStyles, reloadOnStaleBuild, whenBack } from "@/shared/network";

import "./states.css";

/** Where the message appears: `page`: in place of a page; `dialog`: over the page; `unseen`: no message. */
type Kind = "page" | "dialog" | "unseen";

interface State<P> {
  Loaded: ComponentType<P> | null;
  failed: boolean;
}

/** The error messages of browsers and of the build's loader for a file that failed to load. */
const MISSING = /dynamically imported module|module script failed|preload CSS|^Error: No http/i;

/** The code of one part. It can be requested again after a failure, unlike with React's `lazy`. */
class PartCode<P> {
  readonly state = external<State<P>>({ Loaded: null, failed: false });
  readonly #load: () => Promise<{ default: ComponentType<P> }>;
  #running = false;

  constructor(load: () => Promise<{ default: ComponentType<P> }>) {
    this.#load = load;
  }

  async ask(): Promise<void> {
    if (this.#running || this.state.get().Loaded !== null) return;
    this.#running = true;
    try {
      await loadMissingStyles();
      this.state.set({ Loaded: (await this.#load()).default, failed: false });
    } catch (reason) {
      // Code that loads but fails to run is a bug: report it as an uncaught error.
      if (!MISSING.test(String(reason))) reportError(reason);
      this.state.set({ Loaded: null, failed: true });
    } finally {
      this.#running = false;
    }
  }

  /** Some browsers cache a failed import and never request the file again. Then only a reload of the page helps. */
  async askOrReload(byHand: boolean): Promise<void> {
    await this.ask();
    if (this.state.get().failed) await reloadOnStaleBuild({ byHand });
  }
}

export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  kind: Kind = "dialog",
): ComponentType<P> {
  const code = new PartCode(load);
  return function Part(props: P) {
    const { Loaded, failed } = code.state.use();
    useEffect(() => void code.ask(), []);
    useEffect(() => {
      if (!failed) return undefined;
      if (kind === "page") void reloadOnStaleBuild();
      let stop = () => {};
      const again = () =>
        void (kind === "page" ? code.askOrReload(false) : code.ask()).finally(wait);
      const wait = () => {
        stop = whenBack(again);
      };
      wait();
      return () => stop();
    }, [failed]);
    const missing = kind !== "unseen" && !isClosed(props) && (
      <PartMissing
        over={kind === "dialog"}
        onRetry={() => void code.askOrReload(true)}
        onClose={closeOf(props)}
      />
    );
    if (Loaded === null) return failed ? missing : null;
    // The part loads its own words. If they are late, show the message.
    return (
      <Suspense fallback={<Late>{missing}</Late>}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

const PATIENCE = 3_000;

function Late({ children }: { children: ReactNode }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return late ? children : null;
}

/** Whether a drawer or menu is rendered but closed: then show no message. */
function isClosed(props: object): boolean {
  return "open" in props && props.open === false;
}

function closeOf(props: object): (() => void) | undefined {
  if (!("onClose" in props) || typeof props.onClose !== "function") return undefined;
  const close: unknown = props.onClose;
  return () => (close as () => void)();
}

interface Props {
  /** Show the message over the page, in place of a dialog. */
  over: boolean;
  onRetry: () => void;
  onClose: (() => void) | undefined;
}

/** The message for a part with code or words that failed to load. It uses no Ant Design, which may be missing too. */
function PartMissing({ over, onRetry, onClose }: Props) {
  const { t } = useTranslation("shared");
  return (
    <div className={over ? "ob-state ob-state--over" : "ob-state"} role="alert">
      <p className="ob-large ob-strong">{t("part.missing")}</p>
      <p className="ob-quiet ob-state__hint">{t("part.hint")}</p>
      <p className="ob-row">
        <button type="button" className="ob-plain-button ob-plain-button--main" onClick={onRetry}>
          {t("action.retry")}
        </button>
        <button type="button" className="ob-plain-button" onClick={() => window.location.reload()}>
          {t("action.reload")}
        </button>
        {onClose !== undefined && (
          <button type="button" className="ob-plain-button" onClick={onClose}>
            {t("action.close")}
          </button>
        )}
      </p>
    </div>
  );
}
