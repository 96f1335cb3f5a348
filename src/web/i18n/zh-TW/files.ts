import type { files as english } from '#web/i18n/en/files.ts'
import type { TextsLike } from '#web/i18n/texts.ts'

export const files: TextsLike<typeof english> = {
  title: '檔案',
  detail: '活動的說明文件、影片與其他檔案。將檔案拖放到此頁即可上傳。',
  search: '搜尋檔案',
  upload: '上傳檔案',
  empty: '尚無檔案',
  empty_detail: '將文件、影片或壓縮檔拖放到這裡。不接受程式與指令碼。',
  nothing_found: '沒有符合條件的檔案。',
  clear: '清除篩選條件',
  type: {
    pdf: '文件',
    document: '文件',
    spreadsheet: '試算表',
    presentation: '簡報',
    image: '圖片',
    video: '影片',
    audio: '音訊',
    archive: '壓縮檔',
    font: '字型',
    text: '文字檔',
    other: '其他',
  },
}
