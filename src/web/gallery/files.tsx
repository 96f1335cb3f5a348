import { useState } from 'react'
import { FileField } from '#web/ui/file-field.tsx'
import { Part } from './part.tsx'
import { nothing, useWords } from './words.ts'

const csv = new File(['name,cost\n'], 'people.csv', { type: 'text/csv' })

export function Files() {
  const say = useWords()
  const [picture, setPicture] = useState<readonly File[]>([])
  const [several, setSeveral] = useState<readonly File[]>([csv])
  return (
    <Part title={say('Files', '檔案')}>
      <FileField
        label={say('A picture', '一張圖片')}
        value={picture}
        onChange={setPicture}
        hint={say('Of what you see', '您看到的畫面')}
        most_bytes={100 * 1024}
      />
      <FileField
        label={say('Up to three tables', '最多三個表格')}
        value={several}
        onChange={setSeveral}
        types={['text/csv']}
        most_files={3}
        required
      />
      <FileField
        label={say('A picture, missing', '缺少圖片')}
        value={[]}
        onChange={nothing}
        error={say('Please choose a picture.', '請選擇圖片。')}
      />
      <FileField label={say('On its way', '上傳中')} value={[csv]} onChange={nothing} loading />
      <FileField label={say('Files, disabled', '檔案，停用')} value={[]} onChange={nothing} disabled />
    </Part>
  )
}
