import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { imageTypeOf, logoTypes, MOST_LOGO_BYTES } from '#shared/images.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FileField } from '#web/ui/file-field.tsx'
import styles from './issuer.module.css'

interface LogoFieldProps {
  /** A data URL; null: none. */
  value: string | null
  onChange: (url: string | null) => void
  error?: ReactNode
}

/** The logo on white paper, as documents have it, and a place to drop another one. */
export function LogoField({ value, onChange, error }: LogoFieldProps) {
  const { t } = useTranslation('issuer')
  const [isReading, setIsReading] = useState(false)
  async function take([file]: readonly File[]) {
    if (!file) return
    setIsReading(true)
    try {
      onChange(await dataUrlOf(file))
    } finally {
      setIsReading(false)
    }
  }
  return (
    <div className={styles.logo}>
      <FileField
        label={t('field.logo')}
        value={[]}
        onChange={files => void take(files)}
        types={logoTypes}
        most_bytes={MOST_LOGO_BYTES}
        loading={isReading}
        error={error}
      />
      {value !== null && (
        <div className={styles.preview}>
          <img src={value} alt={t('logo.alt')} />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={14} stroke={1.8} />}
            onClick={() => onChange(null)}
          >
            {t('logo.remove')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Its type is that of its content, whatever its name says. */
async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  return `data:${imageTypeOf(bytes)};base64,${btoa(text)}`
}
