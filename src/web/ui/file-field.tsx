import { Input } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChosenFiles, sizeText } from './chosen-files.tsx'
import styles from './file-field.module.css'
import { imageTypes, MOST_IMAGE_BYTES } from '#shared/images.ts'
import { listText } from '#shared/language.ts'
import { sortFiles, type FileLimits } from './file-rules.ts'

interface FileFieldProps extends Partial<FileLimits> {
  label: string
  value: readonly File[]
  onChange: (files: readonly File[]) => void
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** They are being uploaded. */
  loading?: boolean
}

/**
 * Files that are dropped here, pasted anywhere on the page, or chosen with the button; pictures by default.
 */
export function FileField(props: FileFieldProps) {
  const { label, value, onChange, types = imageTypes, most_bytes = MOST_IMAGE_BYTES, most_files = 1 } = props
  const { t, language } = useTranslation('fields')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [refused, setRefused] = useState<readonly string[]>([])
  const [over, setOver] = useState(false)
  const inert = props.disabled === true || props.loading === true

  async function take(list: readonly File[]) {
    // Where only one file is allowed, a newer one replaces it.
    const remaining = most_files === 1 ? [] : value
    const sorted = await sortFiles(list, remaining.length, { types, most_bytes, most_files })
    setRefused(
      sorted.refused.map(({ name, why }) =>
        t(`file.refused_${why}`, { name, size: sizeText(most_bytes, language), count: most_files }),
      ),
    )
    if (sorted.fitting.length > 0) onChange([...remaining, ...sorted.fitting])
  }
  usePastedFiles(list => void take(list), inert)

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    if (!inert) void take([...event.dataTransfer.files])
  }

  return (
    <Input.Wrapper
      id={id}
      labelElement="div"
      label={label}
      {...(props.hint && { description: props.hint })}
      {...(props.error && { error: props.error })}
      {...(props.required && { withAsterisk: true })}
    >
      {/* Dropping is the pointer's way; the button inside is everybody's. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="group"
        aria-label={label}
        aria-busy={props.loading}
        className={styles.zone}
        data-over={over || undefined}
        data-disabled={inert || undefined}
        data-error={Boolean(props.error) || undefined}
        onDragOver={event => {
          event.preventDefault()
          setOver(!inert)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <button
          ref={button}
          type="button"
          className={styles.choose}
          disabled={inert}
          aria-describedby={`${id}-rules`}
          onClick={() => input.current?.click()}
        >
          <IconUpload size={18} stroke={1.6} aria-hidden />
          {t(most_files === 1 ? 'file.choose_file' : 'file.choose_files')}
        </button>
        <span id={`${id}-rules`} className={styles.rules}>
          {t('file.rules', {
            kinds: listText(kindsText(types), language),
            size: sizeText(most_bytes, language),
          })}
        </span>
        <input
          ref={input}
          type="file"
          hidden
          accept={[...types, ...(types.includes('text/csv') ? ['.csv'] : [])].join()}
          multiple={most_files > 1}
          onChange={event => {
            void take([...(event.currentTarget.files ?? [])])
            // The same file can be chosen again after it was removed.
            event.currentTarget.value = ''
          }}
        />
      </div>
      <ChosenFiles
        files={value}
        inert={inert}
        onRemove={file => {
          onChange(value.filter(other => other !== file))
          button.current?.focus()
        }}
      />
      <div role="alert" className={styles.refused}>
        {refused.map(text => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </Input.Wrapper>
  )
}

/** Files on the clipboard, such as a picture of the screen, wherever on the page they are pasted. */
function usePastedFiles(take: (files: readonly File[]) => void, inert: boolean) {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (inert || files.length === 0 || event.defaultPrevented) return
    event.preventDefault()
    take(files)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
}

/** `image/png`, `text/csv`, `text/plain` → PNG, CSV, TXT */
const kindsText = (types: readonly string[]) =>
  types.map(type => (endings[type] ?? type.split('/')[1] ?? type).toUpperCase())

/** Of types that are not named like the files. */
const endings: Readonly<Record<string, string>> = { 'text/plain': 'txt', 'text/tab-separated-values': 'tsv' }
