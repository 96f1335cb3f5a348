import { sitePlatforms } from '#shared/materials/sites.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/customers/customers.module.css'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { WebAddressField } from '#web/ui/web-address-field.tsx'
import { PixelsField } from './pixels-field.tsx'
import type { SiteDraft } from './site-draft.ts'

interface SiteFieldsProps {
  draft: SiteDraft
  onChange: (draft: SiteDraft) => void
  /** Saved already: its advertiser stays. */
  saved?: true
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Problem | null
}

export function SiteFields({ draft, onChange, saved, tried, problem }: SiteFieldsProps) {
  const { t } = useTranslation('sites')
  const { t: tCustomers } = useTranslation('customers')
  const put = (change: Partial<SiteDraft>) => onChange({ ...draft, ...change })
  const isTaken = problem?.fields['url']?.includes('name_taken')
  return (
    <div className={styles.fields}>
      <TextField
        label={t('field.name')}
        value={draft.name}
        onChange={name => put({ name })}
        maxLength={120}
        autoComplete="off"
        required
        focusedFirst
        error={fieldProblem(problem, 'name', tried && draft.name.trim() === '')}
      />
      <AdvertiserPicker
        label={t('field.advertiser')}
        active
        required
        value={draft.advertiser}
        onChange={advertiser => put({ advertiser })}
        disabled={saved ?? false}
        {...(saved && { hint: t('hint.advertiser') })}
        error={fieldProblem(problem, 'advertiser', tried && draft.advertiser === null)}
      />
      <WebAddressField
        label={t('field.url')}
        required
        tried={tried}
        value={draft.url}
        onChange={url => put({ url })}
        error={isTaken ? t('url_taken') : fieldProblem(problem, 'url', tried && draft.url.trim() === '')}
      />
      <SelectField
        label={t('field.platform')}
        options={sitePlatforms.map(platform => ({ value: platform, label: t(`platform.${platform}`) }))}
        value={draft.platform}
        onChange={platform => put({ platform })}
      />
      <PixelsField
        value={draft.pixels}
        onChange={pixels => put({ pixels })}
        errorOf={path => fieldProblem(problem, path === '' ? 'pixels' : `pixels.${path}`)}
      />
      <SwitchField
        label={tCustomers('state.active')}
        hint={t('hint.is_active')}
        checked={draft.is_active}
        onChange={checked => put({ is_active: checked })}
      />
    </div>
  )
}
