/** Why the product cannot start where whoever starts it can mend that; the message is all they see. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}
