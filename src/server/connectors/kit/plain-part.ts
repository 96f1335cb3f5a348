/**
 * The longest part of a text that `plain` matches: one that looks the same under the platform's rule of
 * comparing and under ours, so that a filter for it loses no row. '' when there is none: then the platform is
 * sent nothing.
 */
export const longestPart = (text: string, plain: RegExp): string =>
  (text.match(plain) ?? [])
    .map(part => part.trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
