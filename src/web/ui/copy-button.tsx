import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { copyText } from './clipboard.ts'

const SHOWN_FOR_MS = 2000

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation('ui')
  const { copied, onClick } = useCopied(text)
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      onClick={onClick}
      aria-live="polite"
    >
      {copied ? t('copied') : (label ?? t('copy'))}
    </Button>
  )
}

/** The same where there is room for an icon alone, such as in each row of a table. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('ui')
  const { copied, onClick } = useCopied(text)
  const says = copied ? t('copied') : label
  return (
    <ActionIcon size="sm" aria-label={says} title={says} onClick={onClick}>
      {copied ? <IconCheck size={15} stroke={1.8} /> : <IconCopy size={15} stroke={1.6} />}
    </ActionIcon>
  )
}

/** For a moment after the text has been copied, that it has. */
function useCopied(text: string) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, onClick: () => void copyText(text).then(setCopied) }
}
