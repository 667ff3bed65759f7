/** Active, inactive or locked, in words and colour. */
import { useTranslation } from "react-i18next";
import { Chip } from "@/shared/ui/Chip";

const TONES = { active: "good", inactive: "quiet", locked: "bad" } as const;

export function UserState({ active, locked }: { active: boolean; locked: boolean }) {
  const { t } = useTranslation("administration");
  const state = !active ? "inactive" : locked ? "locked" : "active";
  return <Chip tone={TONES[state]}>{t(`user.state.${state}`)}</Chip>;
}
