/** Small letters without accents: «administracion» finds «Administración». The server's searches read texts so too. */
export function folded(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
