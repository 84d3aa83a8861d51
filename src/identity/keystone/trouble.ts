/** Keystone did not answer, or answered what says nothing about the question. */
export class KeystoneTrouble extends Error {
  override readonly name = 'KeystoneTrouble';
}
