/** What an erased person is called on screen. Documents carry one stored name, the same for every reader. */
import type { Language } from "@/shared/session/language";

const STORED = /Persona borrada #(\d+)/g;

/** A JSON text with the erased people in it named in `language`. */
export function namedErased(json: string, language: Language): string {
  return language === "es" ? json : json.replaceAll(STORED, "Erased person #$1");
}
