import { describe, expect, it } from 'vitest'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { literalsIn, pairsIn, sourcesIn } from '#web/testing/literals.ts'
import { enBusiness } from './en-business.ts'
import { editing } from './en/editing.ts'
import { en } from './en.ts'
import type { Texts } from './translate.ts'
import { zhTWBusiness } from './zh-TW-business.ts'
import { editing as editingZh } from './zh-TW/editing.ts'
import { zhTW } from './zh-TW.ts'

// Chinese as people in Taiwan write it, everywhere in the product: interface, messages, e-mails, table
// headers.

const files = sourcesIn('web', 'shared', 'server').filter(
  // What platforms of Japan call their columns.
  file => !file.startsWith('server/connectors/'),
)
const chinese = files
  .flatMap(literalsIn)
  .filter(({ text }) => /\p{Script=Han}/u.test(text))
  .map(({ file, text }) => `${file}: ${text}`)

/** Each text of both languages beside the other. */
const pairs = [
  ...both(en, zhTW),
  ...both(enBusiness, zhTWBusiness),
  ...both({ editing }, { editing: editingZh }),
  ...both(errorsEn.external, errorsZhTW.external),
  ...both(errorsEn.internal, errorsZhTW.internal),
  ...files.flatMap(pairsIn).map(pair => ({ key: pair.file, ...pair })),
]

it('is found at all', () => {
  expect(chinese.length).toBeGreaterThan(1000)
  expect(pairs.length).toBeGreaterThan(1000)
})

describe('Chinese', () => {
  it('has no simplified characters', () => {
    expect(chinese.filter(line => [...line].some(letter => simplified.has(letter)))).toEqual([])
  })

  it('has the words of Taiwan', () => {
    const foreign = Object.entries(words).flatMap(([word, others]) =>
      chinese.filter(line => others.some(other => line.includes(other))).map(line => `${word}: ${line}`),
    )
    expect(foreign).toEqual([])
  })

  it('has full-width punctuation', () => {
    const half =
      /\p{Script=Han}[,;:!?.()]|[,;:!?(]\p{Script=Han}|\.\.\.|["']\p{Script=Han}|\p{Script=Han}["']/u
    expect(chinese.filter(line => half.test(wordsOf(line)))).toEqual([])
  })

  it('has a space between Chinese and Latin letters or digits, and nowhere else', () => {
    const number = `\\{\\{(?:${numbers.join('|')})\\}\\}`
    const missing = new RegExp(
      `\\p{Script=Han}(?:[A-Za-z0-9]|${number})|(?:[A-Za-z0-9%]|${number})\\p{Script=Han}`,
      'u',
    )
    const needless = /[，。：；！？、（）「」] | [，。：；！？、（）」]|\p{Script=Han} +\p{Script=Han}/u
    const wrong = chinese.filter(line => missing.test(wordsOf(line)) || needless.test(wordsOf(line)))
    expect(wrong).toEqual([])
  })

  it('is Chinese, but for names', () => {
    const same = pairs.filter(
      pair => pair.en === pair.chinese && /[A-Za-z]{2}/.test(pair.en.replaceAll(/\{\{\w+\}\}/g, '')),
    )
    expect(
      [...new Set(same.map(pair => pair.en))].filter(
        text => !names.has(text) && !/^[A-Z\d]{2,5}$/.test(text) && !/^[a-z]+(_[a-z\d]+)+$/.test(text),
      ),
    ).toEqual([])
  })

  it('ends its sentences where English does', () => {
    const different = pairs.filter(
      pair =>
        /[.?!]$/.test(pair.en) !== /[。？！]$/.test(pair.chinese) && /\p{Script=Han}/u.test(pair.chinese),
    )
    expect(different).toEqual([])
  })
})

const wordsOf = (line: string) => line.slice(line.indexOf(': ') + 2)

function both(english: Texts, other: Texts, prefix = ''): { key: string; en: string; chinese: string }[] {
  return Object.entries(other).flatMap(([key, value]) => {
    const beside = english[key]
    if (typeof value === 'string')
      return typeof beside === 'string' ? [{ key: prefix + key, en: beside, chinese: value }] : []
    return typeof beside === 'object' ? both(beside, value, `${prefix}${key}.`) : []
  })
}

/** The word of Taiwan, and what it is called elsewhere. */
const words: Record<string, string[]> = {
  報表: ['報告'],
  資料夾: ['文件夾', '檔案夾'],
  試算表: ['電子表格', '工作簿'],
  儲存格: ['單元格', '儲存單元'],
  廣告活動: ['廣告系列', '推廣活動'],
  廣告群組: ['廣告組'],
  資訊: ['信息'],
  預設: ['默認', '缺省'],
  網路: ['網絡'],
  使用者: ['用戶名', '用戶的', '位用戶', '個用戶', '系統用戶'],
  登入: ['登錄', '登陸'],
  檔案: ['文檔'],
  支援: ['支持'],
  設定: ['設置', '配置'],
  儲存: ['保存'],
  新增: ['添加'],
  建立: ['創建'],
  載入: ['加載'],
  重新整理: ['刷新'],
  連結: ['鏈接'],
  貼上: ['粘貼', '黏貼'],
  螢幕: ['屏幕'],
  影片: ['視頻'],
  軟體: ['軟件'],
  程式: ['應用程序', '小程序', '程序碼'],
  伺服器: ['服務器'],
  選單: ['菜單'],
  匯出: ['導出'],
  匯入: ['導入'],
  帳戶: ['賬戶', '賬號'],
  品質: ['質量'],
  管道: ['渠道'],
  執行: ['運行'],
  目前: ['當前'],
  字元: ['字符'],
  欄位: ['字段'],
  介面: ['接口', '界面'],
  資料庫: ['數據庫'],
  搜尋: ['搜索'],
  視窗: ['窗口'],
  復原: ['撤銷'],
  權杖: ['令牌'],
  批次: ['批量'],
  線上: ['在線'],
  列印: ['打印'],
  圖示: ['圖標'],
  啟用: ['激活'],
  曝光次數: ['展示次數', '印象數'],
  轉換: ['轉化'],
  電子郵件: ['郵箱', '電郵'],
}

/** Placeholders that are filled with digits. */
const numbers = [
  'count',
  'number',
  'rows',
  'columns',
  'cells',
  'days',
  'minutes',
  'seconds',
  'hours',
  'total',
  'completed',
  'error',
  'pending',
  'accounts',
  'added',
  'place',
  'page',
  'percent',
  'size',
  'cell',
]

/** Written alike in both languages. */
const names = new Set([
  'Sheetcast',
  '{{title}} · Sheetcast',
  'https://docs.google.com/spreadsheets/d/…',
  'Meta',
  'Google',
  'Google Ads',
  'Yahoo',
  'Yahoo DSP',
  'Shopify',
  'SHOPLINE',
  'CYBERBIZ',
  'ecforce',
  'MakeShop',
  'WordPress',
  'TikTok',
  'Universal Analytics',
  'Google Analytics 4',
  'GA4',
  'yyyy-MM-dd',
  'English',
  'Switch to English',
  'Ctrl K',
  'Facebook ID',
  'Line ID',
  'Yahoo! DSP',
])

/** Characters of the simplified script that no text of Taiwan has; the commonest of them. */
const simplified = new Set(
  '们个为这来对时会说过还发经现进动给问间关应样开头车东门见长马鸟鱼龙风飞电话语请读写认识谁让该谢课试调谈议论设许证评词译订记讯讲计划订单号码页题类组织级结构红绿线给统终经继续续维综编缩总选择输转换软载辑连运达远适递邮释银钟钱错键锁镜闭闻阅队阶际险随隐难预领频颜顺须顾顿风饭馆馈馒首验骤图团园国圆场坏块处备复够头夹奖妇学宁实审宽对导将尔尝层属岁岛币帅师带帮广庆库应废异弃张弹归录态怀总恢恶悬惯战户执扩扫扬护报抢担拟拥择挂挡损据换摄摆撑收攻斗断无旧显晓术机杂权条极标树样档桥检楼横欢欧步残毁毕气汇汉没沟测济浏浓涌润涨渐满滤灭灯灵点热爱牵状独环现电画畅疗监盖盘着矿码确礼离种积称稳穷竞笔签简类粮红纪约级纯纲纳纵纷纸线练组细终绍经结绘给络绝统继绩续维绿缓编缘网罗置联聪肃脑脚舰艺节范茎荐荡药获营虑虚虽补装觉览规视触订认讨让训议讯记许论设访证识诉词试话询该详语误说请诸读课谁调谓谢谱象贝负财责败账货质贩购贯贴贵费资赏赔赖赚赛赞赢赶趋跃践车轨轮软轻载较辅辆辉输边达过运还这进远违连迟适选递逻遗邓邮郑里针钢钮钱铁银链销锁锐错锡键镇长门闪闭问间闻队阳阴阵阶际陆陈险隐难静页项顺须预领频题额颜飞饭饮饰馆驱驻验骗龄'
    .split('')
    // Of the same form in Traditional Chinese.
    .filter(letter => !'首恢着置步收攻象里斗范虚没'.includes(letter)),
)
