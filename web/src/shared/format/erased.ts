/** Translate the names of erased people. Documents carry the Spanish name for every reader. */
import type { Language } from "@/shared/language";

const STORED = /Persona borrada #(\d+)/g;

/** Translate the names of erased people in a JSON text to `language`. */
export function namedErased(json: string, language: Language): string {
  return language === "es" ? json : json.replaceAll(STORED, "Erased person #$1");
}
