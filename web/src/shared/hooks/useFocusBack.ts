/** Gives the focus back, when this part goes away, to what held it when the part came: a dialog to its button. */
import { useEffect, useState } from "react";

export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The dialog lets go of the focus as it goes; only then can it be given back.
      requestAnimationFrame(() => {
        const lost = document.activeElement === null || document.activeElement === document.body;
        if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    },
    [before],
  );
}
