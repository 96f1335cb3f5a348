import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { download } from '#web/client/download.ts'
import type { Query } from '#web/client/http.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'

interface CsvButtonProps {
  /** Of the list, which has a form as CSV. */
  path: string
  /** What the list is filtered by, on every page. */
  filters: Query
}

/** The whole list as it is filtered, on all pages. */
export function CsvButton({ path, filters }: CsvButtonProps) {
  const { t } = useTranslation('actions')
  const failureText = useFailureText()
  const [loading, setLoading] = useState(false)
  async function save() {
    setLoading(true)
    try {
      await download(path, { ...filters, format: 'csv' })
    } catch (error) {
      showToast({ severity: 'error', message: failureText(error) ?? t('csv_failed') })
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      variant="subtle"
      size="xs"
      title={t('csv_title')}
      aria-label={t('csv_title')}
      leftSection={<IconDownload size={14} stroke={1.8} />}
      loading={loading}
      onClick={() => void save()}
    >
      {t('csv')}
    </Button>
  )
}
