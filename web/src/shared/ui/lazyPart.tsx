/** A part whose code is loaded when it is first shown. One that cannot be had says so where it would stand. */
import { Suspense, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { external } from "@/shared/external";
import { loadMissingStyles, reloadOnStaleBuild, whenBack } from "@/shared/network";

import "./states.css";

/** `page`: in the place of a page. `dialog`: over the page. `unseen`: nobody asked for it, so nothing is said. */
type Kind = "page" | "dialog" | "unseen";

interface State<P> {
  Loaded: ComponentType<P> | null;
  failed: boolean;
}

/** How browsers and the build's loader say that a file did not come. */
const NOT_COME = /dynamically imported module|module script failed|preload CSS|^Error: No http/i;

/** The code of one part: asked for again after a failure, which React's own `lazy` remembers for ever. */
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
      // The part says so. What came and failed to run is a fault of ours, and is reported as any uncaught error.
      if (!NOT_COME.test(String(reason))) reportError(reason);
      this.state.set({ Loaded: null, failed: true });
    } finally {
      this.#running = false;
    }
  }

  /** A browser may remember that a file did not come and never ask for it again: then only a new page has it. */
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
    // The words of the part come by themselves; late ones are said to be.
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

/** A drawer or menu that stands ready but closed misses nobody. */
function isClosed(props: object): boolean {
  return "open" in props && props.open === false;
}

function closeOf(props: object): (() => void) | undefined {
  if (!("onClose" in props) || typeof props.onClose !== "function") return undefined;
  const close: unknown = props.onClose;
  return () => (close as () => void)();
}

interface Props {
  /** Over the page, where a dialog would be. */
  over: boolean;
  onRetry: () => void;
  onClose: (() => void) | undefined;
}

/** Stands where a part would stand whose code or words did not come. Plain: it must need nothing that may be missing. */
function PartMissing({ over, onRetry, onClose }: Props) {
  const { t } = useTranslation("shared");
  return (
    <div className={over ? "ob-state ob-state--over" : "ob-state"} role="alert">
      <p className="ob-state__title">{t("part.missing")}</p>
      <p className="ob-state__hint">{t("part.hint")}</p>
      <p className="ob-state__buttons">
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
