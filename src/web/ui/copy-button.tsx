import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'

const SHOWN_FOR_MS = 2000

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation('ui')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      onClick={() => void copy(text).then(setCopied)}
      aria-live="polite"
    >
      {copied ? t('copied') : (label ?? t('copy'))}
    </Button>
  )
}

/** The clipboard exists only on https and localhost; elsewhere the old command does it. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
