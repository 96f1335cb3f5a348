import { useEffect, useState } from 'react'
import type { Block } from './grid-window.ts'

const SETTLES_AFTER_MS = 120

/** The blocks in view once scrolling has come to rest: what is only scrolled past is not worth a request. */
export function useSettled(blocks: readonly Block[]): readonly Block[] {
  const current = [...new Set(blocks.map(({ row, column }) => `${row} ${column}`))].join(',')
  const [settled, setSettled] = useState(current)
  useEffect(() => {
    if (current === settled) return undefined
    // The very first blocks are requested at once.
    const timer = setTimeout(() => setSettled(current), settled === '' ? 0 : SETTLES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [current, settled])
  return settled === '' ? [] : settled.split(',').map(readBlock)
}

function readBlock(text: string): Block {
  const [row = 0, column = 0] = text.split(' ').map(Number)
  return { row, column }
}
