/** Markup as a small structure, so that no text from anywhere is ever read as HTML. */
export type RichText = string | readonly RichPart[]
export type RichPart = string | { strong: string } | { text: string; to: string } | { line_break: true }
