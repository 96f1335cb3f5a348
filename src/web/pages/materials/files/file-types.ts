/** What people call files of a media type; the first pattern that fits. */
const patterns = [
  ['pdf', /^application\/pdf$/],
  ['spreadsheet', /spreadsheet|ms-excel|^text\/(csv|tab-separated-values)$/],
  ['presentation', /presentation|ms-powerpoint|keynote/],
  ['document', /wordprocessing|msword|opendocument\.text|rtf|pages$|epub/],
  ['image', /^image\/|photoshop|illustrator|postscript|sketch|figma/],
  ['video', /^video\//],
  ['audio', /^audio\//],
  ['archive', /zip|compressed|x-tar|x-7z|x-rar|x-xz|gzip/],
  ['font', /^font\//],
  ['text', /^text\/|json|xml/],
] as const

export type FileTypeName = (typeof patterns)[number][0] | 'other'

export const fileTypeOf = (mime: string): FileTypeName =>
  patterns.find(([, pattern]) => pattern.test(mime))?.[0] ?? 'other'
