import { ActionIcon } from '@mantine/core'
import { IconFile, IconX } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import type { Language } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './file-field.module.css'

interface ChosenFilesProps {
  files: readonly File[]
  inert: boolean
  onRemove: (file: File) => void
}

/** The chosen files: pictures as thumbnails, others by their names. */
export function ChosenFiles({ files, inert, onRemove }: ChosenFilesProps) {
  const { t, language } = useTranslation('ui')
  return (
    <ul className={styles.files} aria-live="polite">
      {files.map((file, at) => (
        // Two files may have the same name; a file keeps its index.
        <li key={`${file.name} ${file.size} ${at}`} className={styles.file}>
          <FilePreview file={file} />
          <span className={styles.name}>
            {file.name}
            <small>{sizeText(file.size, language)}</small>
          </span>
          {!inert && (
            <ActionIcon
              size="md"
              aria-label={t('remove', { name: file.name })}
              onClick={() => onRemove(file)}
            >
              <IconX size={16} stroke={1.7} />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A picture by what is in it, anything else as a sheet. */
export function FilePreview({ file }: { file: File }) {
  const [failed, setFailed] = useState(false)
  // The same function for as long as it is the same file: a new one would load the picture anew.
  const show = useCallback((image: HTMLImageElement | null) => showFile(image, file), [file])
  if (failed || !file.type.startsWith('image/')) return <IconFile size={20} stroke={1.5} aria-hidden />
  // Its name is beside it.
  return <img ref={show} className={styles.preview} alt="" onError={() => setFailed(true)} />
}

/** The object URL exists for as long as the file is shown. */
function showFile(image: HTMLImageElement | null, file: File) {
  if (!image) return undefined
  const url = URL.createObjectURL(file)
  image.src = url
  return () => URL.revokeObjectURL(url)
}

/** 5242880 → 5 MB; nothing is smaller than 1 kB. */
export function sizeText(bytes: number, language: Language): string {
  const [least, unit] = units.find(([of]) => bytes >= of) ?? [1024, 'kilobyte']
  const size = Math.max(1, bytes / least)
  return size.toLocaleString(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: size < 10 ? 1 : 0,
  })
}

const units = [
  [1024 ** 3, 'gigabyte'],
  [1024 ** 2, 'megabyte'],
] as const
