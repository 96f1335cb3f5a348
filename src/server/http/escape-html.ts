/** Text as it is written in HTML, between tags or in an attribute with quotation marks. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, character => entities[character] ?? '')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
