import { Button } from '@mantine/core'
import { IconExternalLink, IconTable } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { spreadsheetPlace } from './spreadsheet-place.ts'

interface OpenSpreadsheetProps {
  url: string
  /** The tab that was written to. */
  sheet_id?: number | null
  size?: 'xs' | 'sm'
  variant?: 'default' | 'filled' | 'light'
}

/** The way to a report's spreadsheet; nothing while it has none. */
export function OpenSpreadsheet({
  url,
  sheet_id = null,
  size = 'sm',
  variant = 'default',
}: OpenSpreadsheetProps) {
  const { t } = useTranslation('reports')
  const place = spreadsheetPlace(url, sheet_id)
  if (place === null) return null
  if ('built_in' in place)
    return (
      <LinkButton
        to="/sheets/$id"
        params={{ id: place.built_in }}
        search={place.gid === null ? {} : { gid: place.gid }}
        size={size}
        variant={variant}
        leftSection={<IconTable size={16} stroke={1.6} />}
      >
        {t('open_spreadsheet')}
      </LinkButton>
    )
  return (
    <Button
      component="a"
      href={place.href}
      target="_blank"
      rel="noreferrer"
      size={size}
      variant={variant}
      leftSection={<IconExternalLink size={16} stroke={1.6} />}
    >
      {t('open_spreadsheet')}
    </Button>
  )
}
