import { type Metric } from '#sandbox/dataset/metrics.ts'
import { countOf, type Facts, moneyOf } from './facts.ts'
import { allOf, costOf, EVENTS, ofEvent, rateOf, type Words } from './labels.ts'

/** One number of a row, for the file and for the online report. */
export interface Column {
  words: Words
  needs: readonly Metric[]
  /** null where there is nothing to divide by. */
  value(facts: Facts): number | null
  /** What the online report calls it. */
  online?: string
  /** What files called it in API 3.9; those had no others. */
  old?: string
  /** Is missing from files that are cut by a delivery breakdown. */
  people?: true
  /** Whole in all currencies. */
  whole: boolean
}

type Names = Pick<Column, 'online' | 'old'>

/** Every column of a file in its order, but for the keys and the advertiser's own conversions. */
export const COLUMNS: readonly Column[] = [
  {
    words: ['Reach (estimated)', 'リーチ（推定）', '觸及人數（預估）'],
    needs: [],
    value: facts => facts.reach,
    online: 'reach',
    old: 'reach_estimated',
    people: true,
    whole: true,
  },
  {
    words: ['Frequency', 'フリークエンシー', '頻率'],
    needs: [],
    value: facts => per(countOf(facts.counts, ['impressions']), facts.reach),
    people: true,
    whole: false,
  },
  count(['Impressions', 'インプレッション', '曝光數'], ['impressions'], {
    online: 'imp',
    old: 'impressions',
  }),
  count(['Clicks', 'クリック', '點擊數'], ['clicks'], { online: 'click', old: 'clicks' }),
  quotient(same('CPM'), facts => 1000 * cost(facts), {
    by: countsOf('impressions'),
    names: { online: 'cpm', old: 'cpm' },
  }),
  quotient(same('CTR'), facts => 100 * clicks(facts), {
    by: countsOf('impressions'),
    names: { online: 'ctr', old: 'ctr' },
  }),
  quotient(same('CPC'), cost, { by: clicks, names: { online: 'cpc', old: 'cpc' } }),
  {
    words: ['Cost', 'コスト', '費用'],
    needs: ['spend'],
    value: cost,
    online: 'cost',
    old: 'cost',
    whole: false,
  },

  ...conversions(EVENTS.tag, facts => facts.cv, { suffix: '', online: 'cv', old: true }),
  count(same('CV API'), ['server_conversions'], { online: 'cvApi' }),
  ...conversions(EVENTS.with_api, facts => facts.cv + countOf(facts.counts, ['server_conversions']), {
    suffix: 'WithCvApi',
    online: 'cvWithCvApi',
  }),
  ...conversions(
    EVENTS.all,
    facts => facts.cv + countOf(facts.counts, ['server_conversions', 'ev_conversions']),
    { suffix: 'WithCvApiWithEv', online: 'cvWithCvApiWithEv' },
  ),

  ...event('ViewItemDetail', EVENTS.view_item, { of: ['view_content'], more: 'ev_view_content' }),
  ...event('AddToCart', EVENTS.add_to_cart, { of: ['add_to_cart'], more: 'ev_add_to_cart' }),
  ...event('InitiateCheckOut', EVENTS.checkout, { of: ['initiate_checkout'], more: 'ev_checkouts' }),
  ...event('Purchase', EVENTS.purchase, { of: ['web_purchases'], more: 'ev_purchases' }),
  ...event('GenerateLead', EVENTS.lead, { of: ['web_leads'], more: 'ev_leads' }),
  ...event('CompleteReservation', EVENTS.reservation, { of: ['reservations'], more: 'ev_reservations' }),
  ...event('CompleteRegistration', EVENTS.registration, {
    of: ['complete_registration'],
    more: 'ev_registrations',
  }),

  money(ofEvent('CV value', EVENTS.purchase, false), ['web_purchase_value'], {
    online: 'cvPurchaseValue',
  }),
  roas(same('ROAS'), ['web_purchase_value'], { online: 'ROAS' }),
  money(clickOf(ofEvent('CV value', EVENTS.purchase, false)), ['click_purchase_value'], {}),
  roas(clickOf(same('ROAS')), ['click_purchase_value'], {}),

  ...installs(),
  ...appEvent(['Open', '起動', '開啟'], 'app_opens', { online: 'open', old: 'open' }),
  ...appEvent(['View home screen', 'ホーム画面表示', '查看首頁'], 'app_home_views', {
    online: 'viewHome',
    old: 'view_home_screen',
  }),
  ...appEvent(['Category view', 'カテゴリー表示', '查看分類'], 'app_category_views', {
    online: 'viewCategory',
    old: 'category_view',
  }),
  ...appEvent(['View product', '商品表示', '查看商品'], 'app_item_views', {
    online: 'viewItem',
    old: 'view_product',
  }),
  ...appEvent(['Search', '検索', '搜尋'], 'app_searches', { online: 'search', old: 'search' }),
  ...appEvent(['Add-to-cart', 'カートに追加', '加入購物車'], 'app_cart_adds', {
    online: 'addToCart',
    old: 'add_to_cart',
  }),
  ...appEvent(['Purchase', '購入', '購買'], 'app_purchases', { online: 'purchase', old: 'purchase' }),
  ...appEvent(['Level achieved', 'レベル達成', '達成等級'], 'app_levels', {
    online: 'levelAchieved',
    old: 'level_achieved',
  }),
  ...appEvent(['Tutorial complete', 'チュートリアル完了', '完成教學'], 'app_tutorials', {
    online: 'tutorialComplete',
    old: 'tutorial_complete',
  }),
]

/** Behind the advertiser's own conversions. */
export const VIDEO_COLUMNS: readonly Column[] = [
  count(
    ['Video (viewed for at least three seconds)', '動画（3秒以上再生）', '影片（觀看至少3秒）'],
    ['video_views'],
    { online: 'videoView3s', old: '3_second_video_views' },
  ),
  quotient(['Cost per 3-second playback', '3秒再生単価', '3秒觀看成本'], cost, {
    by: countsOf('video_views'),
    names: {
      online: 'costPerVideoView3s',
      old: 'cost_per_3_second_playback',
    },
  }),
  ...(
    [
      ['25', 'video_p25'],
      ['50', 'video_p50'],
      ['75', 'video_p75'],
      ['95', 'video_p95'],
    ] as const
  ).map(([percent, metric]) =>
    count([`Video (${percent}% watched)`, `動画（${percent}%再生）`, `影片（觀看${percent}%）`], [metric], {
      online: `videoView${percent}r`,
      old: `video_watches_at_p${percent}`,
    }),
  ),
  count(['Video (100% watched)', '動画（100%再生）', '影片（觀看100%）'], ['video_p100'], {
    online: 'videoCompletions',
    old: 'video_completions',
  }),
  quotient(['Cost per complete video view', '動画再生完了単価', '完整觀看成本'], cost, {
    by: countsOf('video_p100'),
    names: { online: 'costPerVideoCompletion', old: 'cost_per_complete_video_view' },
  }),
]

/** Of files in the old set of labels, and of the online report. */
export const VIDEO_STARTS: Column = count(['Video starts', '動画再生', '影片開始'], ['video_plays'], {
  online: 'videoStart',
  old: 'video_starts',
})

/** The columns of a conversion that the advertiser named. */
export const customColumns = (name: string, metric: Metric): Column[] => [
  count(same(name), [metric], {}),
  quotient(same(`${name} rate`), facts => 100 * countOf(facts.counts, [metric]), { by: clicks, names: {} }),
  quotient(same(`Cost per ${name}`), cost, { by: countsOf(metric), names: {} }),
]

function same(text: string): Words {
  return [text, text, text]
}

function clickOf([en, ja, zh]: Words): Words {
  return [`${en} (click)`, `${ja}（クリック）`, `${zh}（點擊）`]
}

function cost(facts: Facts): number {
  return moneyOf(facts, ['spend'])
}
function clicks(facts: Facts): number {
  return countOf(facts.counts, ['clicks'])
}
function countsOf(...metrics: Metric[]) {
  return Object.assign((facts: Facts) => countOf(facts.counts, metrics), { metrics })
}

function count(words: Words, needs: readonly Metric[], names: Names): Column {
  return { words, needs, value: facts => countOf(facts.counts, needs), ...names, whole: true }
}

function money(words: Words, needs: readonly Metric[], names: Names): Column {
  return { words, needs, value: facts => moneyOf(facts, needs), ...names, whole: false }
}

function per(of: number, by: number): number | null {
  return by === 0 ? null : of / by
}

type Reader = ((facts: Facts) => number) & { metrics?: readonly Metric[] }

function quotient(words: Words, of: Reader, { by, names }: { by: Reader; names: Names }): Column {
  const needs: Metric[] = ['spend', 'clicks', ...(by.metrics ?? [])]
  return { words, needs, value: facts => per(of(facts), by(facts)), ...names, whole: false }
}

function roas(words: Words, needs: readonly Metric[], names: Names): Column {
  return {
    words,
    needs: ['spend', ...needs],
    value: facts => per(100 * moneyOf(facts, needs), cost(facts)),
    ...names,
    whole: false,
  }
}

/** CV, CVR and CPA of one meaning. */
function conversions(
  words: Words,
  of: (facts: Facts) => number,
  { suffix, online, old = false }: { suffix: string; online: string; old?: boolean },
): Column[] {
  const needs: Metric[] = [
    'web_purchases',
    'web_leads',
    'onsite_leads',
    'page_likes',
    'server_conversions',
    'ev_conversions',
  ]
  const rate = quotient(ofEvent('CVR', words, false), facts => 100 * of(facts), {
    by: clicks,
    names: {
      online: `cvr${suffix}`,
      ...(old && { old: 'cvr' }),
    },
  })
  const price = quotient(ofEvent('CPA', words, false), cost, {
    by: of,
    names: {
      online: `cpa${suffix}`,
      ...(old && { old: 'cpa' }),
    },
  })
  return [
    {
      words: ofEvent('CV', words, false),
      needs,
      value: of,
      online,
      ...(old && { old: 'cv' }),
      whole: true,
    },
    { ...rate, needs: [...rate.needs, ...needs] },
    { ...price, needs: [...price.needs, ...needs] },
  ]
}

/** CV, CVR and CPA of an event on the website, then with those that follow from engagement. */
function event(
  online: string,
  words: Words,
  { of, more }: { of: readonly Metric[]; more: Metric },
): Column[] {
  return [
    { metrics: of, all: false, suffix: '' },
    { metrics: [...of, more], all: true, suffix: 'WithEv' },
  ].flatMap(({ metrics, all, suffix }) => {
    const counted = countsOf(...metrics)
    const rate = quotient(ofEvent('CVR', words, all), facts => 100 * counted(facts), {
      by: clicks,
      names: {
        online: `cvr${online}${suffix}`,
      },
    })
    return [
      count(ofEvent('CV', words, all), metrics, { online: `cv${online}${suffix}` }),
      { ...rate, needs: [...rate.needs, ...metrics] },
      quotient(ofEvent('CPA', words, all), cost, { by: counted, names: { online: `cpa${online}${suffix}` } }),
    ]
  })
}

function installs(): Column[] {
  const of = (en: string, ja: string, zh: string): Words => [
    `Installs (${en})`,
    `インストール（${ja}）`,
    `安裝（${zh}）`,
  ]
  const rate = quotient(
    ['Install rate', 'インストール率', '安裝率'],
    facts => 100 * countOf(facts.counts, ['app_installs']),
    { by: clicks, names: { online: 'installCvr' } },
  )
  return [
    count(of('clicks', 'クリック', '點擊'), ['app_installs'], { online: 'install', old: 'installs_clicks' }),
    count(of('views', 'ビュー', '瀏覽'), ['view_installs'], { online: 'vtInstall', old: 'installs_views' }),
    count(of('clicks and views', 'クリックとビュー', '點擊與瀏覽'), ['app_installs', 'view_installs'], {
      online: 'totalInstall',
      old: 'installs_clicks_and_views',
    }),
    count(of('ALL', 'すべて', '全部'), ['app_installs', 'view_installs', 'ev_installs'], {
      online: 'totalInstallWithEv',
    }),
    count(of('SKAN clicks', 'SKANクリック', 'SKAN點擊'), ['skan_installs'], {
      online: 'skadnInstall',
      old: 'installs_sk_ad_network',
    }),
    { ...rate, needs: [...rate.needs, 'app_installs'] },
    quotient(['Cost per install', 'インストール単価', '安裝成本'], cost, {
      by: countsOf('app_installs'),
      names: {
        online: 'installCpa',
      },
    }),
  ]
}

/** What happens in an app: nothing of it follows from engagement alone, so that "(ALL)" is the same. */
function appEvent(words: Words, metric: Metric, { online = '', old = '' }: Names): Column[] {
  const counted = countsOf(metric)
  const rate = quotient(rateOf(words), facts => 100 * counted(facts), {
    by: clicks,
    names: { online: `${online}Cvr` },
  })
  return [
    count(words, [metric], { online, old }),
    { ...rate, needs: [...rate.needs, metric] },
    quotient(costOf(words), cost, { by: counted, names: { online: `${online}Cpa` } }),
    count(allOf(words), [metric], { online: `${online}WithEv` }),
  ]
}
