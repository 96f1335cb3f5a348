import type { CsvColumn } from '#server/http/csv.ts'

interface Listed {
  name: string
  advertiser_name: string | null
  tags: string[]
  mime: string
  size: number
  in_use: number
  uploaded_by_name: string | null
  created_at: Date
}

/** Of images and files alike. */
export const materialColumns: readonly CsvColumn<Listed>[] = [
  { header: { en: 'Name', 'zh-TW': '名稱' }, cell: row => row.name },
  { header: { en: 'Advertiser', 'zh-TW': '廣告主' }, cell: row => row.advertiser_name },
  { header: { en: 'Tags', 'zh-TW': '標籤' }, cell: row => row.tags.join('\n') },
  { header: { en: 'Type', 'zh-TW': '檔案類型' }, cell: row => row.mime },
  { header: { en: 'Bytes', 'zh-TW': '位元組' }, cell: row => row.size },
  { header: { en: 'Links', 'zh-TW': '使用的連結數' }, cell: row => row.in_use },
  { header: { en: 'Uploaded by', 'zh-TW': '上傳者' }, cell: row => row.uploaded_by_name },
  { header: { en: 'Uploaded ({zone})', 'zh-TW': '上傳時間（{zone}）' }, cell: row => row.created_at },
]
