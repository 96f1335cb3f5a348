import { useState } from 'react'
import { Toast } from '#web/ui/toast.tsx'
import { Part } from './part.tsx'
import { useWords } from './words.ts'

const severities = ['info', 'success', 'warning', 'warning_long', 'error'] as const

export function Toasts() {
  const say = useWords()
  const [closed, setClosed] = useState<readonly string[]>([])
  return (
    <Part title={say('Notices', '通知')}>
      {severities
        .filter(severity => !closed.includes(severity))
        .map(severity => (
          <Toast
            key={severity}
            severity={severity}
            message={say('The report has been executed.', '報表已執行。')}
            sub_message={[
              say('42,180 rows. ', '42,180 列。'),
              { text: say('Open spreadsheet', '開啟試算表'), to: '/sheets' },
              ...(severity === 'warning_long'
                ? [
                    { line_break: true } as const,
                    { strong: say('Some channels lacked output.', '部分管道沒有輸出。') },
                  ]
                : []),
            ]}
            duration={0}
            onClose={() => setClosed([...closed, severity])}
          />
        ))}
    </Part>
  )
}
