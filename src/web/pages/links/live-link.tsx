import { Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconQrcode } from '@tabler/icons-react'
import { Fragment, Suspense, useState } from 'react'
import { listText } from '#shared/language.ts'
import { buildLink, type BuiltLink } from '#shared/links/build-link.ts'
import { requiredUtmFields, type UtmField } from '#shared/links/parameters.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { ChannelBadge } from './channel-badge.tsx'
import { useFieldName } from './field-name.ts'
import { filledIn, type LinkDraft } from './link-draft.ts'
import { piecesOf } from './link-pieces.ts'
import styles from './links.module.css'

/** The code for it comes when somebody opens one. */
export const QrDialog = lazy(async () => ({ default: (await import('./qr/qr-dialog.tsx')).QrDialog }))

interface LiveLinkProps {
  draft: LinkDraft
  built: BuiltLink
  /** What files of it are called. */
  name: string
}

/** The link as it will be, what Google Analytics makes of it, and what may be wrong with it. */
export function LiveLink({ draft, built, name }: LiveLinkProps) {
  const { t, language } = useTranslation('links')
  const preview = previewOf(draft, built)
  return (
    <div role="group" className={styles.live} aria-label={t('live.title')}>
      <div className={styles.liveHead}>
        <h3>{t('live.title')}</h3>
        {preview && (
          <span className={styles.length} data-tabular>
            {t('live.length', { length: preview.link.length.toLocaleString(language) })}
          </span>
        )}
      </div>
      {preview ? <LinkText link={preview.link} /> : <NoLink draft={draft} built={built} />}
      {preview && preview.missing.length > 0 && <Missing fields={preview.missing} />}
      {built.link !== null && (
        <>
          <ChannelBadge channel={built.ga4_channel} />
          <Warnings warnings={built.warnings} />
          <LinkActions link={built.link} isFixed={!built.has_placeholders} name={name} />
        </>
      )}
    </div>
  )
}

/** Where a value will stand. */
const GAP = '…'

/** The link with gaps for the values that it still needs; null: something is wrong with another one. */
function previewOf(draft: LinkDraft, built: BuiltLink) {
  const missing = requiredUtmFields.filter(field => draft[field].trim() === '')
  if (built.link !== null) return { link: built.link, missing }
  const gaps = Object.fromEntries(missing.map(field => [field, GAP]))
  const { link } = buildLink({ ...draft, ...gaps, extra: filledIn(draft.extra) })
  return link === null ? null : { link: link.replaceAll(encodeURIComponent(GAP), GAP), missing }
}

function Missing({ fields }: { fields: readonly UtmField[] }) {
  const { t, language } = useTranslation('links')
  const names = fields.map(field => t(`field.${field}`))
  return <p className={styles.hint}>{t('live.missing', { fields: listText(names, language) })}</p>
}

/** Before there is a page, what to do; then, what is in the way. */
function NoLink({ draft, built }: Omit<LiveLinkProps, 'name'>) {
  const { t, language } = useTranslation('links')
  const fieldName = useFieldName()
  const fields = Object.entries(built.problems).flatMap(([path, codes]) =>
    codes?.includes('field_required') ? [] : [path],
  )
  const names = [...new Set(fields.map(fieldName))]
  if (draft.landing_url.trim() === '' || names.length === 0)
    return <p className={styles.noLink}>{t('live.none')}</p>
  return (
    <p className={styles.noLink}>
      {fields.includes('link')
        ? t('live.too_long')
        : t('live.problems', { fields: listText(names, language) })}
    </p>
  )
}

interface LinkActionsProps {
  link: string
  /** Nothing of it is filled in at each click. */
  isFixed: boolean
  name: string
}

function LinkActions({ link, isFixed, name }: LinkActionsProps) {
  const { t } = useTranslation('links')
  const [isQrOpen, setIsQrOpen] = useState(false)
  return (
    <>
      <Group gap="xs">
        <CopyButton text={link} label={t('action.copy')} />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconQrcode size={14} aria-hidden />}
          disabled={!isFixed}
          onClick={() => setIsQrOpen(true)}
        >
          {t('action.qr')}
        </Button>
      </Group>
      {!isFixed && <p className={styles.hint}>{t('qr.placeholders')}</p>}
      {isQrOpen && (
        <Suspense>
          <QrDialog link={link} name={name} onClose={() => setIsQrOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The whole address; what was added to the page's own stands out. */
function LinkText({ link }: { link: string }) {
  return (
    <p className={styles.link} translate="no">
      {piecesOf(link).map(({ kind, text }, index) =>
        // Two pieces may be equal: only their index identifies them.
        kind === 'page' ? (
          <Fragment key={index}>
            {/^[?&]/.test(text) && <wbr />}
            {text}
          </Fragment>
        ) : (
          <span key={index} data-kind={kind}>
            {text}
          </span>
        ),
      )}
    </p>
  )
}

/** Nothing that forbids the link. */
function Warnings({ warnings }: Pick<BuiltLink, 'warnings'>) {
  const { t } = useTranslation('links')
  const fieldName = useFieldName()
  if (warnings.length === 0) return null
  return (
    <ul className={styles.warnings}>
      {warnings.map(({ code, field }) => (
        <li key={`${code} ${field}`}>
          <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
          {t(`warning.${code}`, { field: fieldName(field) })}
        </li>
      ))}
    </ul>
  )
}
