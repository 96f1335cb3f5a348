import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { LinkPreset } from '#shared/api/links.ts'
import { linkNameOf } from '#shared/links/presets.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { AdvertiserPicker } from '#web/pages/pickers/pickers.tsx'
import { copyText } from '#web/ui/clipboard.ts'
import { useCreateLink, usePreset } from './data.ts'
import { bodyOf, newDraft, ofAdvertiser, withPreset, type LinkDraft } from './link-draft.ts'
import { LinkFields } from './link-fields.tsx'
import styles from './links.module.css'
import { LiveLink } from './live-link.tsx'
import { PresetField } from './preset-field.tsx'
import { useLinkProblems } from './use-link-problems.tsx'

/** What the next links have in common. */
export type Chosen = Pick<LinkDraft, 'advertiser' | 'preset'>

/** What it is filled in with, and the name of the link that this is from. */
export interface Template {
  name: string
  draft: LinkDraft
}

interface LinkFormProps {
  /** The one that it begins with. */
  advertiser: number | null
  /** The one whose values are filled in, after which the form comes into view; null: none yet. */
  template: Template | null
  onChoose: (chosen: Chosen) => void
  /** Whether it has what would be lost. */
  onChanged: (isChanged: boolean) => void
}

/** A new link: its fields, and beside them what they make. It stays filled in for the next one. */
export function LinkForm({ advertiser, template, onChoose, onChanged }: LinkFormProps) {
  const { t } = useTranslation('links')
  const card = useRef<HTMLElement>(null)
  const [isOpen, setIsOpen] = useState(true)
  const [{ draft, origin }, setForm] = useState(() =>
    begunWith({ kind: 'empty', draft: newDraft(advertiser) }),
  )
  const [filledFrom, setFilledFrom] = useState(template)
  if (template !== filledFrom) {
    setFilledFrom(template)
    if (template) setForm(begunWith({ kind: 'filled', ...template }))
    setIsOpen(true)
  }
  const note = useEffectEvent(onChanged)
  const isChanged = draft !== origin.draft
  useEffect(() => note(isChanged), [isChanged])
  useEffect(() => {
    if (!template) return undefined
    card.current?.scrollIntoView({ block: 'start', behavior: 'smooth' })
    const timer = setTimeout(
      () =>
        card.current?.querySelector<HTMLElement>('input[name=landing_url]')?.focus({ preventScroll: true }),
      AFTER_MENU_MS,
    )
    return () => clearTimeout(timer)
  }, [template])
  function change(next: LinkDraft) {
    setForm({ draft: next, origin })
    if (next.advertiser !== draft.advertiser || next.preset !== draft.preset)
      onChoose({ advertiser: next.advertiser, preset: next.preset })
  }
  return (
    <section ref={card} className={styles.form} aria-label={t('form.title')}>
      <header className={styles.formHead}>
        <h2>{t('form.title')}</h2>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t(isOpen ? 'form.hide' : 'form.show')}
          <IconChevronDown size={16} stroke={1.7} aria-hidden />
        </button>
      </header>
      <div className={styles.formBody} data-closed={!isOpen || undefined}>
        <Form
          draft={draft}
          onChange={change}
          origin={isChanged ? null : origin}
          onClear={() => {
            const next = newDraft(draft.advertiser)
            change(next)
            setForm(begunWith({ kind: 'empty', draft: next }))
          }}
          onCreated={sent =>
            setForm(current =>
              // What was written meanwhile is the next link.
              current.draft === sent
                ? // A name of its own was meant for this one alone.
                  begunWith({ kind: 'created', draft: { ...sent, name: '' } })
                : current,
            )
          }
        />
      </div>
    </section>
  )
}

/** What the form had before anything was written. */
type Origin = { kind: 'empty' | 'created'; draft: LinkDraft } | ({ kind: 'filled' } & Template)

const begunWith = (origin: Origin) => ({ draft: origin.draft, origin })

/** A menu gives the focus back to its button when it has closed; ours comes after that. */
const AFTER_MENU_MS = 80

interface FormProps {
  draft: LinkDraft
  onChange: (draft: LinkDraft) => void
}

interface WholeFormProps extends FormProps {
  /** null: something has been written since. */
  origin: Origin | null
  onClear: () => void
  onCreated: (sent: LinkDraft) => void
}

function Form({ draft, onChange, origin, onClear, onCreated }: WholeFormProps) {
  const { t } = useTranslation('links')
  const create = useCreateLink()
  const { presets, preset, isUnknown } = usePreset(draft.advertiser, draft.preset)
  const [tried, setTried] = useState(false)
  /** The same again would be there twice. */
  const isCreated = origin?.kind === 'created'
  const { built, isSound, errorOf } = useLinkProblems({
    draft,
    preset,
    isRemade: true,
    tried,
    refused: create.error,
  })
  function submit(form: HTMLFormElement) {
    flushSync(() => setTried(true))
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    const body = bodyOf({ ...draft, preset: preset?.id ?? null })
    if (!isSound || body === null) return
    create.mutate(body, {
      onSuccess: ({ name, link }) => {
        onCreated(draft)
        setTried(false)
        showToast({
          severity: 'success',
          message: t('form.done', { name }),
          action: { label: t('action.copy'), onClick: () => void copyText(link) },
        })
      },
    })
  }
  return (
    <form
      noValidate
      className={styles.columns}
      onSubmit={event => {
        event.preventDefault()
        if (!create.isPending && !isUnknown && !isCreated) submit(event.currentTarget)
      }}
    >
      <LinkFields
        isNew
        head={<Head draft={draft} onChange={onChange} presets={presets} preset={preset} errorOf={errorOf} />}
        draft={draft}
        onChange={onChange}
        preset={preset}
        errorOf={errorOf}
      />
      <div className={styles.result}>
        <LiveLink draft={draft} built={built} name={draft.name.trim() || linkNameOf(draft)} />
        <GeneralProblem problem={create.error} fields={Object.keys(draft)} />
        <div className={styles.submit}>
          <Button type="submit" loading={create.isPending} disabled={isUnknown || isCreated}>
            {t('form.submit')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            disabled={create.isPending}
            onClick={() => {
              create.reset()
              setTried(false)
              onClear()
            }}
          >
            {t('form.clear')}
          </Button>
        </div>
        <p className={styles.hint} role="status">
          {isCreated && t('form.created')}
          {origin?.kind === 'filled' && t('form.filled', { name: origin.name })}
        </p>
      </div>
    </form>
  )
}

interface HeadProps extends FormProps {
  presets: ReturnType<typeof usePreset>['presets']
  preset: LinkPreset | null
  errorOf: (path: string) => React.ReactNode
}

function Head({ draft, onChange, presets, preset, errorOf }: HeadProps) {
  const { t } = useTranslation('links')
  return (
    <>
      <AdvertiserPicker
        label={t('field.advertiser')}
        active
        required
        value={draft.advertiser}
        onChange={advertiser => onChange(ofAdvertiser(draft, advertiser, preset))}
        error={errorOf('advertiser')}
      />
      <PresetField
        presets={presets}
        value={draft.preset}
        onChange={next => onChange(withPreset(draft, next, preset))}
        error={errorOf('preset')}
      />
    </>
  )
}
