import {
  IconFile,
  IconFileMusic,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconLetterCase,
  IconPhoto,
  IconPresentation,
  IconVideo,
  type Icon,
} from '@tabler/icons-react'
import type { File as StoredFile } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './files.module.css'

/** What a file is, in a word, and its ending. */
export function FileType({ file: { mime, name } }: { file: Pick<StoredFile, 'mime' | 'name'> }) {
  const { t } = useTranslation('files')
  const ending = /\.(\w{1,8})$/.exec(name)?.[1]
  return (
    <span title={mime}>
      {t(`type.${fileTypeOf(mime)}`)} {ending && <small>{ending.toUpperCase()}</small>}
    </span>
  )
}

/** Its word is in the column beside it. */
export function FileTypeIcon({ mime }: { mime: string }) {
  const type = fileTypeOf(mime)
  const Glyph = icons[type]
  return <Glyph className={styles.icon} data-type={type} size={22} stroke={1.5} aria-hidden />
}

const icons: Record<FileTypeName, Icon> = {
  pdf: IconFileTypePdf,
  document: IconFileText,
  spreadsheet: IconFileSpreadsheet,
  presentation: IconPresentation,
  image: IconPhoto,
  video: IconVideo,
  audio: IconFileMusic,
  archive: IconFileZip,
  font: IconLetterCase,
  text: IconFileText,
  other: IconFile,
}

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

type FileTypeName = (typeof patterns)[number][0] | 'other'

export const fileTypeOf = (mime: string): FileTypeName =>
  patterns.find(([, pattern]) => pattern.test(mime))?.[0] ?? 'other'
