import { useId } from 'react'
import styles from './overview.module.css'

/** Native radio buttons: Mantine's control would bring 50 kB of other widgets to the first page. */
export function Choice<Value extends string>(props: {
  label: string
  options: readonly { value: Value; name: string }[]
  chosen: string | undefined
  onChoose: (value: Value) => void
}) {
  const name = useId()
  return (
    <span className={styles.currency} role="radiogroup" aria-label={props.label}>
      {props.options.map(option => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === props.chosen}
            onChange={() => props.onChoose(option.value)}
          />
          <span>{option.name}</span>
        </label>
      ))}
    </span>
  )
}
