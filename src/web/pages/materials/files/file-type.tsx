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
import { fileTypeOf, type FileTypeName } from './file-types.ts'
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
