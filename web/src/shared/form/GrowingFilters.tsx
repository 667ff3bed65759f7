/**
 * The filters of a list. Of more than three, the page shows those in use, and a button that adds another one. A phone
 * shows all of them, behind the button of the toolbar.
 */
import PlusOutlined from "@ant-design/icons/es/icons/PlusOutlined";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNarrow } from "@/shared/hooks/browser";
import { JustAdded } from "./filters";

export interface FilterPart {
  /** Its parameters in the address. The first one also identifies the filter. */
  names: readonly string[];
  label: string;
  part: ReactNode;
}

interface Props {
  query: { filters: Partial<Record<string, string>> };
  parts: readonly FilterPart[];
}

/** How many filters fit beside the search without a button. */
const FEW = 3;

export function GrowingFilters({ query, parts }: Props) {
  const { t } = useTranslation("forms");
  const narrow = useNarrow();
  /** The filter that was added last. It stays while it has no value. */
  const [added, setAdded] = useState<string | null>(null);
  const isAll = narrow || parts.length <= FEW;
  const isShown = ({ names }: FilterPart) =>
    isAll || names[0] === added || names.some((name) => query.filters[name] !== undefined);
  const hidden = parts.filter((part) => !isShown(part));
  return (
    <>
      {parts.filter(isShown).map(({ names: [key], part }) => (
        <JustAdded value={key === added} key={key}>
          {part}
        </JustAdded>
      ))}
      {hidden.length > 0 && (
        <Dropdown
          trigger={["click"]}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keys then move in the menu that was opened
          autoFocus
          menu={{
            items: hidden.map(({ names, label }) => ({ key: names[0]!, label })),
            onClick: ({ key }) => setAdded(key),
          }}
        >
          <Button icon={<PlusOutlined aria-hidden />} aria-haspopup="menu">
            {t("list.narrow")}
          </Button>
        </Dropdown>
      )}
    </>
  );
}
