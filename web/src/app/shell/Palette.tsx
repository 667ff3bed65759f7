/**
 * The command palette: the user finds pages, orders, lines, customers, products and actions by
 * their words.
 */
import SearchOutlined from "@ant-design/icons/es/icons/SearchOutlined";
import Button from "antd/es/button";
import Input, { type InputRef } from "antd/es/input/Input";
import Modal from "antd/es/modal";
import { useEffect, useEffectEvent, useId, useMemo, useState, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useFocusBack, useHand, usePaused } from "@/shared/hooks/browser";
import { useNow } from "@/shared/hooks/browser";
import { useAnswer } from "@/shared/http/data";
import { OWN_PROCESSES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { isCovered, shownKey, useShortcuts } from "@/shared/keyboard/shortcuts";
import { recentElsewhere } from "@/shared/recent";
import type { Language } from "@/shared/language";
import { Thumb } from "@/shared/picture/Thumb";
import { useMay, useSignedIn } from "@/shared/session/session";
import { useProcessName } from "@/entities/processes";
import { standingText } from "@/entities/standing/standing";
import { StatusChip } from "@/shared/ui/Chip";
import {
  calledBy,
  choicesOf,
  commandsOf,
  isMeant,
  pagesOf,
  recentChoices,
  type Choice,
  type PageWords,
} from "./choices";
import "./Palette.css";

const focused = (field: InputRef | null) => field?.focus();

/** What needs no answer of the server. */
const LOCAL: readonly Choice["kind"][] = ["makes", "pages", "commands"];

/** The fewest letters of a search, because fewer match nearly everything. */
const LETTERS = 2;
const MOST_LETTERS = 200;

interface Props {
  /** Returns what was typed before the palette was there. */
  early: () => string;
  onClose: () => void;
}

export default function Palette({ early, onClose }: Props) {
  const { t } = useTranslation(["keyboard", "shared"]);
  const navigate = useNavigate();
  const hand = useHand();
  const name = useId();
  useFocusBack();
  const [text, setText] = useState(early);
  const [moved, setMoved] = useState<string | null>(null);
  const [goesAtOnce, setGoesAtOnce] = useState(false);
  const { choices, awaited, problem } = useChoices(text);
  const found = choices.findIndex(({ id }) => id === moved);
  // Until the user has typed or chosen something, Enter opens a recent record, but makes and runs nothing.
  const waits = text.trim() === "" && choices[0]?.kind !== "recent";
  const place = waits ? found : Math.max(0, found);
  const active = choices[place];
  const idOf = (choice: Choice) => `${name}${choice.id}`;

  function go({ to }: Choice) {
    if (typeof to === "string") {
      onClose();
      void navigate(to);
      return;
    }
    // Close the palette before the action, because it holds the focus, which the action may move.
    // Use a timer, because effects call this function too, and `flushSync` must not run in an
    // effect.
    setTimeout(() => {
      flushSync(onClose);
      to();
    });
  }

  // If Enter came before the answer, open the first result for the typed text, not an earlier result.
  const onAnswer = useEffectEvent(() => {
    if (active !== undefined && isMeant(text, active)) go(active);
  });
  useEffect(() => {
    if (goesAtOnce && !awaited) onAnswer();
  }, [goesAtOnce, awaited]);

  useEffect(() => {
    const shown = active && document.getElementById(`${name}${active.id}`);
    shown?.scrollIntoView({ block: "nearest" });
  }, [name, active]);

  function onKeyDown(event: KeyboardEvent) {
    const { key, nativeEvent } = event;
    if (nativeEvent.isComposing || choices.length + Number(awaited) === 0) return;
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const from = place === -1 && step === -1 ? 0 : place;
      const next = choices.at((from + step) % choices.length);
      if (next !== undefined) setMoved(next.id);
    } else if (key === "Enter") {
      event.preventDefault();
      const isLocal = active !== undefined && LOCAL.includes(active.kind);
      const isChosen = active !== undefined && (moved === active.id || isLocal);
      if (awaited && !isChosen) setGoesAtOnce(true);
      else if (active !== undefined) go(active);
    }
  }

  return (
    <Modal
      open
      className="ob-palette"
      width={640}
      footer={null}
      closable={false}
      title={t("palette.title")}
      classNames={{ header: "ob-visually-hidden" }}
      transitionName=""
      maskTransitionName=""
      onCancel={onClose}
    >
      <div className="ob-bar ob-palette__top">
        <Input
          ref={focused}
          size="large"
          variant="borderless"
          prefix={<SearchOutlined aria-hidden />}
          role="combobox"
          aria-label={t("palette.field")}
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={`${name}list`}
          {...(active === undefined ? {} : { "aria-activedescendant": idOf(active) })}
          autoComplete="off"
          spellCheck={false}
          maxLength={MOST_LETTERS}
          placeholder={t(hand ? "palette.button" : "palette.field")}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setMoved(null);
            setGoesAtOnce(false);
          }}
          onKeyDown={onKeyDown}
        />
        {hand && (
          <Button type="text" onClick={onClose}>
            {t("shared:action.close")}
          </Button>
        )}
      </div>
      <div
        className="ob-palette__list"
        id={`${name}list`}
        role="listbox"
        aria-label={t("palette.results")}
      >
        {groupsOf(choices).map(([kind, rows]) => (
          <div key={kind} role="group" aria-labelledby={`${name}${kind}`}>
            <p className="ob-quiet ob-small ob-palette__kind" id={`${name}${kind}`}>
              {t(`palette.${kind}`)}
            </p>
            {rows.map((choice) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above handles the keys
              <div
                key={choice.id}
                id={idOf(choice)}
                className="ob-bar ob-palette__choice"
                role="option"
                tabIndex={-1}
                aria-selected={choice === active}
                onClick={() => go(choice)}
              >
                {choice.picture !== undefined && <Thumb address={choice.picture} />}
                <span className="ob-palette__title">{choice.title}</span>
                <span className="ob-quiet ob-fill ob-breaks ob-palette__note">{choice.note}</span>
                {choice.status !== undefined && <StatusChip status={choice.status} />}
                {choice.letter !== undefined && !hand && (
                  <kbd className="ob-key">{shownKey(choice.letter)}</kbd>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className="ob-quiet ob-small ob-words ob-apart ob-palette__foot">
        <span role="status">
          {problem ??
            (awaited
              ? t("palette.searching")
              : choices.length > 0
                ? t("palette.found", { count: choices.length })
                : t("palette.nothing", { text: text.trim() }))}
        </span>
        {!hand && <span>{t("palette.keys")}</span>}
      </p>
    </Modal>
  );
}

/** Find the choices for a text. `awaited`: the server has not answered yet; its last answer is shown until then. */
function useChoices(text: string) {
  const { t } = useTranslation("keyboard");
  const { t: ofStanding } = useTranslation("standing");
  const language = useLanguage();
  const words = usePageWords();
  const { permissions, user } = useSignedIn();
  const atStations = useMay("Station");
  const { data: own } = useAnswer(OWN_PROCESSES, atStations ? {} : null, { quiet: true });
  const pages = useMemo(
    () =>
      pagesOf(
        words,
        language,
        permissions,
        own?.map((process) => ({
          process,
          title: t("palette.station", { process: process.productionProcessName }),
        })),
      ),
    [words, language, permissions, own, t],
  );

  const [isOverDialog] = useState(isCovered);
  const shortcuts = useShortcuts();
  const commands = isOverDialog ? [] : commandsOf(words, language, shortcuts);
  const [recent] = useState(() => recentElsewhere(user.id));
  const line = (po: string, position: number) => t("palette.line", { po, position });
  const opened = recentChoices(recent, permissions, {
    line,
    kind: (kind) => t(`palette.recentOf.${kind}`),
  });

  const now = useNow(60_000);
  const nameOf = useProcessName();
  const wanted = text.trim();
  const asked = usePaused(wanted);
  const mayList = ["ListSalesOrders", "ListOrders", "ListCustomers", "ListItems"] as const;
  const mayAsk = mayList.some((permission) => permissions.includes(permission));
  const asks = (typed: string) => mayAsk && typed.length >= LETTERS;
  const { data, error, isLoading } = useAnswer(
    "/api/search",
    asks(asked) ? { query: { q: asked } } : null,
    { quiet: true, keepPreviousData: true },
  );
  const found =
    data !== undefined && asks(wanted)
      ? choicesOf(wanted, data, permissions, {
          line,
          shortCode: (code) => t("palette.shortCode", { code }),
          standing: (each) => standingText(each, now, ofStanding, language, nameOf),
        })
      : [];
  const makes = pages.filter(({ kind }) => kind === "makes");
  const others = pages.filter(({ kind }) => kind !== "makes");
  const local =
    wanted === ""
      ? [...opened, ...makes, ...others, ...commands]
      : [others, makes, commands].flatMap((each) => calledBy(wanted, each));
  return {
    choices: [...local, ...found],
    awaited: asks(wanted) && (asked !== wanted || isLoading),
    problem: asks(wanted) ? error?.message : undefined,
  };
}

/**
 * The locale files with the words of pages. Pages are found in both languages, so the palette loads
 * the second language.
 */
const WORDS = ["shell", "catalogs", "keyboard", "reports"] as const;

function usePageWords(): PageWords {
  const { i18n } = useTranslation(WORDS, { lng: "es" });
  useTranslation(WORDS, { lng: "en" });
  return useMemo(() => {
    const of = (language: Language): PageWords["es"] => ({
      shell: i18n.getResourceBundle(language, "shell"),
      catalogs: i18n.getResourceBundle(language, "catalogs"),
      keyboard: i18n.getResourceBundle(language, "keyboard"),
      reports: i18n.getResourceBundle(language, "reports"),
    });
    return { es: of("es"), en: of("en") };
  }, [i18n]);
}

function groupsOf(choices: readonly Choice[]): [Choice["kind"], Choice[]][] {
  const groups = new Map<Choice["kind"], Choice[]>();
  for (const choice of choices) {
    groups.set(choice.kind, [...(groups.get(choice.kind) ?? []), choice]);
  }
  return [...groups];
}
