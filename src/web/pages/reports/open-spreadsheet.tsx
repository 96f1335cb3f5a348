import { Button } from '@mantine/core'
import { IconExternalLink, IconTable } from '@tabler/icons-react'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { spreadsheetLink } from './spreadsheet-link.ts'

interface OpenSpreadsheetProps {
  url: string
  /** The tab that was written to. */
  sheet_id?: number | null
  size?: 'xs' | 'sm'
  variant?: 'default' | 'filled' | 'light'
}

/** A link to a report's spreadsheet; nothing while it has none. */
export function OpenSpreadsheet({
  url,
  sheet_id = null,
  size = 'sm',
  variant = 'default',
}: OpenSpreadsheetProps) {
  const { t } = useTranslation('reports')
  const link = spreadsheetLink(url, sheet_id)
  if (link === null) return null
  if ('built_in' in link)
    return (
      <LinkButton
        to="/sheets/$id"
        params={{ id: link.built_in }}
        search={link.gid === null ? {} : { gid: link.gid }}
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
      href={link.href}
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
