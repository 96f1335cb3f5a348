import Papa from 'papaparse'
import { delimiters, type Delimiter, type Encoding, type FileFormat } from './file-format.ts'

/** What the beginning of a file looks like. */
export function guessFormat(sample: Uint8Array): FileFormat {
  const encoding = guessEncoding(sample)
  return { encoding, delimiter: guessDelimiter(new TextDecoder(encoding).decode(sample)) }
}

/**
 * UTF-8 makes itself known. Bytes that Big5 and Shift_JIS both allow are Japanese when they read as more kana
 * of full width than of half width: that is what the first bytes of Chinese characters look like.
 */
function guessEncoding(sample: Uint8Array): Encoding {
  if (isUtf8(sample)) return 'utf-8'
  const chinese = new TextDecoder('big5').decode(sample)
  const japanese = new TextDecoder('shift_jis').decode(sample)
  const [chineseGaps, japaneseGaps] = [count(chinese, GAP), count(japanese, GAP)]
  if (chineseGaps !== japaneseGaps) return chineseGaps < japaneseGaps ? 'big5' : 'shift_jis'
  return count(japanese, FULL_KANA) > count(japanese, HALF_KANA) ? 'shift_jis' : 'big5'
}

const GAP = /\ufffd/g
const FULL_KANA = /[\u3041-\u30fa]/g
const HALF_KANA = /[\uff66-\uff9d]/g
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

function isUtf8(sample: Uint8Array): boolean {
  try {
    // The sample may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

function guessDelimiter(text: string): Delimiter {
  const lines = text.slice(0, 20_000)
  const { delimiter } = Papa.parse(lines, { delimitersToGuess: [...delimiters], preview: 50 }).meta
  return delimiters.find(known => known === delimiter) ?? ','
}
