/** Keystone did not answer, cannot, or does not take the service's own credentials: others will fare no better. */
export class KeystoneTrouble extends Error {
  override readonly name: string = 'KeystoneTrouble';
}

/** Keystone answered what says nothing about the question. Who asks decides what is asked: others may fare better. */
export class OddAnswer extends KeystoneTrouble {
  override readonly name: string = 'OddAnswer';
}

/** What Keystone says of one thing cannot be used. */
export class UnusableDocument extends OddAnswer {
  override readonly name = 'UnusableDocument';
}

/** The trouble that an unexpected status is. */
export function troubleOf(status: number, message: string): KeystoneTrouble {
  const isOfAll = status >= 500 || status === 401 || status === 403;
  return isOfAll ? new KeystoneTrouble(message) : new OddAnswer(message);
}
