/** Keystone did not answer, is unable to, or rejects the service's own credentials. Other requests would fail, too. */
export class KeystoneTrouble extends Error {
  override readonly name: string = 'KeystoneTrouble';
}

/** Keystone's answer does not fit the request. The caller chose the request, so others may succeed. */
export class OddAnswer extends KeystoneTrouble {
  override readonly name: string = 'OddAnswer';
}

/** Keystone's description of one object is unusable. */
export class UnusableDocument extends OddAnswer {
  override readonly name = 'UnusableDocument';
}

/** The error for an unexpected status. */
export function troubleOf(status: number, message: string): KeystoneTrouble {
  const isOfAll = status >= 500 || status === 401 || status === 403;
  return isOfAll ? new KeystoneTrouble(message) : new OddAnswer(message);
}
