import { useState } from 'react'
import { DateRangeField } from '#web/ui/date-range-field.tsx'
import type { DateRangeValue } from '#web/ui/date-range-rules.ts'
import { DateTimeField } from '#web/ui/date-time-field.tsx'
import { thisMinute } from '#web/ui/date-time-rules.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { TimeOfDayField } from '#web/ui/time-of-day-field.tsx'
import { Part } from './part.tsx'
import { nothing, useWords } from './words.ts'

const TODAY = '2026-11-20'
const NOW = new Date('2026-11-20T01:30:00Z')
const november = { start: '2026-11-01', end: '2026-11-12', dynamic_range: 0 }

export function Dates() {
  const say = useWords()
  const [fixed, setFixed] = useState<DateRangeValue>(november)
  const [moving, setMoving] = useState<DateRangeValue>({ ...november, dynamic_range: 1 })
  const [none, setNone] = useState<DateRangeValue>({ start: null, end: null, dynamic_range: 0 })
  const [time, setTime] = useState('09:00:00')
  const [moment, setMoment] = useState<string | null>(thisMinute(NOW))
  const [day, setDay] = useState('2026-11-20')
  return (
    <Part title={say('Days and times', '日期與時間')}>
      <DateRangeField
        label={say('Two days', '兩個日期')}
        value={fixed}
        onChange={setFixed}
        today={TODAY}
        minimum="2024-11-20"
        required
      />
      <DateRangeField
        label={say('A dynamic range', '動態區間')}
        value={moving}
        onChange={setMoving}
        today={TODAY}
        echo={{ start: '2026-11-01', end: TODAY }}
      />
      <DateRangeField
        label={say('No days yet', '尚未選擇日期')}
        value={none}
        onChange={setNone}
        today={TODAY}
      />
      <DateRangeField
        label={say('Days, with an error', '日期，有錯誤')}
        value={november}
        onChange={nothing}
        today={TODAY}
        error={say('The end is before the start.', '結束日期早於開始日期。')}
      />
      <DateRangeField
        label={say('Days, disabled', '日期，停用')}
        value={november}
        onChange={nothing}
        today={TODAY}
        disabled
      />
      <DayField label={say('One day', '單一日期')} value={day} onChange={setDay} />
      <DateTimeField
        label={say('A moment', '日期與時刻')}
        value={moment}
        onChange={setMoment}
        now={NOW}
        timezone="Asia/Taipei"
        required
      />
      <TimeOfDayField label={say('Time', '時間')} value={time} onChange={setTime} />
      <TimeOfDayField
        label={say('Time, with an error', '時間，有錯誤')}
        value="23:45:00"
        onChange={nothing}
        error={say('Please choose another time.', '請選擇其他時間。')}
      />
      <TimeOfDayField
        label={say('Time, disabled', '時間，停用')}
        value="12:15:00"
        onChange={nothing}
        disabled
      />
    </Part>
  )
}
