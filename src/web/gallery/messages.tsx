import { Button } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { Part } from './part.tsx'
import { nothing, useWords } from './words.ts'

export function Messages() {
  const say = useWords()
  const saved = say('The report has been saved.', '報表已儲存。')
  return (
    <Part title={say('Messages in their place', '頁面內的訊息')}>
      <InlineAlert severity="info">{saved}</InlineAlert>
      <InlineAlert severity="success" title={say('Done', '完成')}>
        {saved}
      </InlineAlert>
      <InlineAlert severity="warning" action={<Button size="xs">{say('Mend', '修正')}</Button>}>
        {say('The page is not set.', '工作表未設定。')}
      </InlineAlert>
      <InlineAlert severity="error">
        {say('Something went wrong. Please contact the PM.', '發生錯誤，請聯絡 PM。')}
      </InlineAlert>
      <div data-testid="without-severity">
        <InlineAlert severity={null}>{say('Never seen', '不會顯示')}</InlineAlert>
      </div>
      <Problem code="quota_exhausted" />
      <Problem
        code="spreadsheet_not_shared"
        action={
          <Button size="xs" variant="default" onClick={nothing}>
            {say('How to share', '如何共用')}
          </Button>
        }
      />
      <Problem code="internal_error" request_id="01J-GALLERY" onRetry={nothing} />
      <div>
        <StatusBadge tone="good" icon={IconCircleCheck} label={say('Completed', '已完成')} />{' '}
        <StatusBadge tone="bad" icon={IconCircleX} label={say('Error', '錯誤')} />{' '}
        <StatusBadge tone="warn" label={say('Page not set', '工作表未設定')} />{' '}
        <StatusBadge tone="accent" label={say('Running', '執行中')} />{' '}
        <StatusBadge tone="neutral" label={say('Inactive', '未排程')} />
      </div>
    </Part>
  )
}

/** A page of its own, with its own heading. */
export function WholePage() {
  const say = useWords()
  return (
    <MessagePage
      title={say('Something went wrong', '發生錯誤')}
      detail={say('Please try again.', '請再試一次。')}
      action={<Button>{say('Try again', '再試一次')}</Button>}
      note="01J-GALLERY"
    />
  )
}
