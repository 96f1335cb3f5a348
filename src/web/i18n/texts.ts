/**
 * The keys of an English text with strings of another language. Chinese has no singular, so it leaves out
 * `…_one`.
 */
export type TextsLike<English> = {
  readonly [Key in keyof English as Key extends `${string}_one` ? never : Key]: English[Key] extends string
    ? string
    : TextsLike<English[Key]>
}
