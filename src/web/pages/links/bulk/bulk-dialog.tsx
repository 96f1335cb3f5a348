import { Button, Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { BulkLinksReply } from '#shared/api/links.ts'
import { MOST_BULK_ROWS } from '#shared/links/parameters.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { useBulkLinks, useBulkTrial, usePreset } from '#web/pages/links/data.ts'
import { bodyOf, type LinkDraft } from '#web/pages/links/link-draft.ts'
import { PresetField } from '#web/pages/links/preset-field.tsx'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { GuardedDialog } from '#web/ui/guarded-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { BulkPreview, ServerProblems } from './bulk-preview.tsx'
import { checkedRow, type CheckedRow } from './bulk-rows.ts'
import styles from './bulk.module.css'
import { combine, countOf, factorsOf, NO_LISTS } from './combine.ts'
import { CombineFields } from './combine-fields.tsx'
import { CopyLinks, CreatedLinks } from './created-links.tsx'
import { PasteFields } from './paste-fields.tsx'
import { draftsOf, readPasted } from './pasted-rows.ts'

interface BulkDialogProps {
  /** What the form has chosen, to begin with. */
  advertiser: number | null
  preset: number | null
  onClose: () => void
}

/** Many links at once: first what would become of them, then the same for good. */
export function BulkDialog(initial: BulkDialogProps) {
  const { t } = useTranslation('links')
  const { t: tUi } = useTranslation('ui')
  const { onClose } = initial
  const form = useBulkForm(initial)
  const [tried, setTried] = useState(false)
  const trial = useBulkTrial()
  const real = useBulkLinks()
  const { rows, drafts, count } = form
  const plan = trial.data
  const isReady = plan !== undefined && plan.problems.length === 0 && plan.create > 0
  const isPossible = count > 0 && count <= MOST_BULK_ROWS
  const isSound =
    isPossible &&
    !form.isUnknown &&
    form.advertiser !== null &&
    rows.every(({ problems }) => problems.length === 0)
  /** What was found out is of other rows now. */
  const edited = (change: () => void) => {
    change()
    trial.reset()
    real.reset()
  }
  const send = () => ({ preset: form.preset?.id ?? null, rows: drafts.flatMap(draft => bodyOf(draft) ?? []) })
  function submit() {
    setTried(true)
    if (!isSound) return
    // Where something has changed since it was tried, trying again says what.
    if (isReady) real.mutate(send(), { onError: ({ code }) => code === 'invalid' && trial.mutate(send()) })
    else trial.mutate(send())
  }
  if (real.data?.problems.length === 0)
    return (
      <GuardedDialog opened onClose={onClose} title={t('bulk.title')} size={860}>
        <CreatedLinks outcome={real.data} rows={rows} onClose={onClose} />
      </GuardedDialog>
    )
  const outcome = real.data ?? plan
  return (
    <GuardedDialog
      opened
      onClose={onClose}
      title={t('bulk.title')}
      size={860}
      loading={real.isPending}
      isChanged={form.lists !== NO_LISTS || form.text !== ''}
    >
      <div className={styles.content}>
        <BulkHead form={form} tried={tried} edited={edited} />
        {form.mode === 'combine' ? (
          <CombineFields
            lists={form.lists}
            onChange={lists => edited(() => form.setLists(lists))}
            preset={form.preset}
            tried={tried}
          />
        ) : (
          <PasteFields
            text={form.text}
            onChange={text => edited(() => form.setText(text))}
            pasted={form.pasted}
          />
        )}
        {count > MOST_BULK_ROWS && (
          <InlineAlert severity="error">{t('bulk.too_many', { count, most: MOST_BULK_ROWS })}</InlineAlert>
        )}
        {isPossible && (
          <BulkPreview
            rows={rows}
            formula={form.mode === 'combine' ? factorsOf(form.lists) : []}
            showsProblems={tried || form.mode === 'paste'}
          />
        )}
        <div className={styles.foot}>
          {outcome && <Outcome outcome={outcome} rows={rows} />}
          <GeneralProblem problem={real.error ?? trial.error} fields={[]} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={real.isPending}>
              {tUi('cancel')}
            </Button>
            <Button
              disabled={!isPossible || form.isUnknown || (plan !== undefined && !isReady)}
              loading={trial.isPending || real.isPending}
              onClick={submit}
            >
              {isReady ? t('bulk.create', { count: plan.create }) : t('bulk.check', { count })}
            </Button>
          </Group>
        </div>
      </div>
    </GuardedDialog>
  )
}

/** What has been chosen and entered, and the links that it makes. */
function useBulkForm(initial: Omit<BulkDialogProps, 'onClose'>) {
  const [mode, setMode] = useState<'combine' | 'paste'>('combine')
  const [advertiser, setAdvertiser] = useState(initial.advertiser)
  const [presetId, setPresetId] = useState(initial.preset)
  const { presets, preset, isUnknown } = usePreset(advertiser, presetId)
  const [lists, setLists] = useState(NO_LISTS)
  const [text, setText] = useState('')
  const pasted = useMemo(() => readPasted(text), [text])
  const count = mode === 'paste' ? pasted.rows.length : countOf(lists)
  const drafts = useMemo<LinkDraft[]>(() => {
    if (count === 0 || count > MOST_BULK_ROWS) return []
    if (mode === 'paste') return draftsOf(pasted, { advertiser, preset })
    return combine(lists, { advertiser, preset })
  }, [mode, pasted, lists, count, advertiser, preset])
  const rows = useMemo<CheckedRow[]>(() => drafts.map(draft => checkedRow(draft, preset)), [drafts, preset])
  return {
    mode,
    setMode,
    advertiser,
    setAdvertiser,
    presets,
    preset,
    presetId,
    isUnknown,
    setPresetId,
    lists,
    setLists,
    text,
    setText,
    pasted,
    count,
    drafts,
    rows,
  }
}

interface BulkHeadProps {
  form: ReturnType<typeof useBulkForm>
  tried: boolean
  edited: (change: () => void) => void
}

/** Whose links they are, what they have in common, and where they come from. */
function BulkHead({ form, tried, edited }: BulkHeadProps) {
  const { t } = useTranslation('links')
  const { mode, advertiser, preset, presets } = form
  return (
    <>
      <div className={styles.pair}>
        <AdvertiserPicker
          label={t('field.advertiser')}
          active
          required
          value={advertiser}
          onChange={chosen =>
            edited(() => {
              form.setAdvertiser(chosen)
              if (preset && preset.advertiser !== null && preset.advertiser !== chosen) form.setPresetId(null)
            })
          }
          error={tried && advertiser === null && <ProblemText code="field_required" audience="internal" />}
        />
        <PresetField
          presets={presets}
          value={form.presetId}
          onChange={chosen => edited(() => form.setPresetId(chosen?.id ?? null))}
        />
      </div>
      <SegmentedField
        label={t('bulk.from')}
        labelHidden
        options={[
          { value: 'combine', label: t('bulk.combine') },
          { value: 'paste', label: t('bulk.paste') },
        ]}
        value={mode}
        onChange={chosen => edited(() => form.setMode(chosen))}
      />
    </>
  )
}

/** What the server would do, or why it does not. */
function Outcome({ outcome, rows }: { outcome: BulkLinksReply; rows: readonly CheckedRow[] }) {
  const { t } = useTranslation('links')
  const { create, same, problems } = outcome
  if (problems.length > 0)
    return (
      <InlineAlert severity="error" title={t('bulk.refused', { count: problems.length })}>
        <ServerProblems problems={problems} />
      </InlineAlert>
    )
  if (create === 0)
    return (
      <InlineAlert severity="info" action={<CopyLinks rows={rows} />}>
        {t('bulk.all_same', { count: same })}
      </InlineAlert>
    )
  return (
    <InlineAlert severity="success">
      {t('bulk.would_create', { count: create })} {same > 0 && t('bulk.same', { count: same })}
    </InlineAlert>
  )
}
