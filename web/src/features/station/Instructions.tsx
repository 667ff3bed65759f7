import { useTranslation } from "react-i18next";
import type { StationScan } from "@/contract";

/** How the line is made: measures, and components with their materials. */
export function Instructions({ line }: { line: StationScan["line"] }) {
  const { t } = useTranslation("station");
  return (
    <div className="ob-stack ob-opened__how">
      {line.measures !== "" && (
        <p>
          {t("how.measures")}: <strong>{line.measures}</strong>
        </p>
      )}
      {line.components.length > 0 && (
        <ul aria-label={t("how.components")}>
          {line.components.map((component) => (
            <li key={component.componentId}>
              <strong>{component.componentName}</strong> {component.materialName}
              {component.notes !== "" && (
                <span className="ob-opened__notes"> {component.notes}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
