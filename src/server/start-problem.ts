/** Why the product cannot start where the operator can fix that; the message is all they see. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}
