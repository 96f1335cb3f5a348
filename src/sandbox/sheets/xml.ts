const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/**
 * Text as XML has it: control characters, which it cannot hold, are left out; Excel's own escapes stay
 * literal.
 */
export function xmlText(text: string): string {
  if (!/[&<>"\p{Cc}\p{Cs}_\uFFFE\uFFFF]/u.test(text)) return text
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"\r]/g, character => ENTITIES[character] ?? character)
}
