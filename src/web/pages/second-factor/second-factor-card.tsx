import { Button, Group, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { SecondFactor } from '#shared/api/second-factor.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { dayText } from '#web/ui/times.ts'
import { useNewCodes, useSecondFactor, useTurnOff } from './data.ts'
import { PasswordCheckForm } from './password-check-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUp } from './set-up.tsx'
import styles from './second-factor.module.css'

type Opened = 'set_up' | 'new_codes' | 'turn_off'

/** The profile's section on two-step sign-in: whether it is on, and its actions. */
export function SecondFactorCard() {
  const { t } = useTranslation('second_factor')
  const factor = useSecondFactor()
  const [opened, setOpened] = useState<Opened | null>(null)
  const section = useRef<HTMLDivElement>(null)
  const isThere = factor.data !== undefined
  // A link to this part of the page (from the bell or a mail) must scroll to it now: it was not there yet
  // when the page opened.
  useEffect(() => {
    if (isThere && location.hash === '#second-factor') section.current?.scrollIntoView()
  }, [isThere])
  return (
    <div id="second-factor" ref={section}>
      <Card title={t('title')}>
        {factor.error ? (
          <Problem code={factor.error.code} onRetry={() => void factor.refetch()} />
        ) : !factor.data ? (
          <TableLoading rows={2} />
        ) : factor.data.enabled ? (
          <TurnedOn factor={factor.data} onOpen={setOpened} />
        ) : (
          <Stack gap="md">
            <p className={styles.hint}>{t('off_detail')}</p>
            <div>
              <Button variant="default" onClick={() => setOpened('set_up')}>
                {t('set_up')}
              </Button>
            </div>
          </Stack>
        )}
      </Card>
      {opened && (
        <OpenedDialog
          opened={opened}
          enabled={factor.data?.enabled ?? false}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}

/** With fewer than this the person is asked to create new ones. */
const FEW = 3

function TurnedOn({ factor, onOpen }: { factor: SecondFactor; onOpen: (opened: Opened) => void }) {
  const { t } = useTranslation('second_factor')
  const { since, recovery_codes_left: count, required } = factor
  return (
    <Stack gap="md">
      <p className={styles.hint}>
        {since !== null && t('on_since', { day: dayText(since) })}
        <br />
        {t('codes_left', { count })}
      </p>
      {count <= FEW && (
        <InlineAlert severity="warning">
          {count === 0 ? t('codes_none') : t('codes_few', { count })}
        </InlineAlert>
      )}
      {required && <p className={styles.hint}>{t('required')}</p>}
      <Group gap="xs">
        <Button variant="default" onClick={() => onOpen('new_codes')}>
          {t('new_codes')}
        </Button>
        <Button variant="default" onClick={() => onOpen('set_up')}>
          {t('move')}
        </Button>
        {!required && (
          <Button variant="default" onClick={() => onOpen('turn_off')}>
            {t('turn_off')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

interface OpenedProps {
  opened: Opened
  enabled: boolean
  onClose: () => void
}

function OpenedDialog({ opened, enabled, onClose }: OpenedProps) {
  const { t } = useTranslation('second_factor')
  const { username } = useMe()
  // While it is open the dialog keeps its purpose, although that comes true meanwhile.
  const [title] = useState(
    opened === 'set_up'
      ? t(enabled ? 'move' : 'title')
      : t(opened === 'turn_off' ? 'turn_off_title' : opened),
  )
  const turnedOn = () => {
    showToast({ severity: 'success', message: t('turned_on') })
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={title} size={460}>
      {opened === 'set_up' ? (
        <SetUp username={username} enabled={enabled} onDone={turnedOn} />
      ) : opened === 'new_codes' ? (
        <NewCodes username={username} onClose={onClose} />
      ) : (
        <TurnOff onClose={onClose} />
      )}
    </Dialog>
  )
}

function NewCodes({ username, onClose }: { username: string; onClose: () => void }) {
  const { t } = useTranslation('second_factor')
  const renew = useNewCodes()
  if (renew.data)
    return <RecoveryCodes username={username} codes={renew.data.recovery_codes} onDone={onClose} />
  return (
    <PasswordCheckForm
      submit={t('new_codes')}
      with_code
      loading={renew.isPending}
      problem={renew.error}
      onSubmit={renew.mutate}
    />
  )
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('second_factor')
  const turnOff = useTurnOff()
  const turnedOff = () => {
    showToast({ severity: 'success', message: t('turned_off') })
    onClose()
  }
  return (
    <Stack gap="md">
      <p className={styles.hint}>{t('turn_off_detail')}</p>
      <PasswordCheckForm
        submit={t('turn_off')}
        tone="danger"
        with_code
        loading={turnOff.isPending}
        problem={turnOff.error}
        onSubmit={proof => turnOff.mutate(proof, { onSuccess: turnedOff })}
      />
    </Stack>
  )
}
