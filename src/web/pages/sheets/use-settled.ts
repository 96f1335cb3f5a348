import { useEffect, useState } from 'react'
import type { Block } from './grid-window.ts'

const SETTLES_AFTER_MS = 120

/** The blocks in view once the scrolling has come to rest: what only flies past is not worth a question. */
export function useSettled(blocks: readonly Block[]): readonly Block[] {
  const wanted = [...new Set(blocks.map(({ row, column }) => `${row} ${column}`))].join(',')
  const [settled, setSettled] = useState(wanted)
  useEffect(() => {
    if (wanted === settled) return undefined
    // The first blocks of all are asked for at once.
    const timer = setTimeout(() => setSettled(wanted), settled === '' ? 0 : SETTLES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [wanted, settled])
  return settled === '' ? [] : settled.split(',').map(readBlock)
}

function readBlock(text: string): Block {
  const [row = 0, column = 0] = text.split(' ').map(Number)
  return { row, column }
}
