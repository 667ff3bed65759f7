/** The usual filters as parts of `GrowingFilters`: their parameter and label are said once. */
import type { ComponentProps } from "react";
import { ChoiceFilter, DaysFilter, OptionFilter } from "./filters";
import type { FilterPart } from "./GrowingFilters";

export const choicePart = <N extends string>(
  props: ComponentProps<typeof ChoiceFilter<N>>,
): FilterPart => ({
  names: [props.name],
  label: props.label,
  part: <ChoiceFilter {...props} />,
});

export const optionPart = <N extends string>(
  props: ComponentProps<typeof OptionFilter<N>>,
): FilterPart => ({
  names: [props.name],
  label: props.label,
  part: <OptionFilter {...props} />,
});

export const daysPart = (props: ComponentProps<typeof DaysFilter>, label: string): FilterPart => ({
  names: ["from", "to"],
  label,
  part: <DaysFilter {...props} />,
});
