/** Keystone did not answer, is unable to, or rejects the service's own credentials. Other requests would fail, too. */
export class KeystoneError extends Error {
  override readonly name: string = 'KeystoneTrouble';
}

/** Keystone's answer does not fit the request. The caller chose the request, so others may succeed. */
export class UnexpectedResponse extends KeystoneError {
  override readonly name: string = 'OddAnswer';
}

/** Keystone's description of one object is unusable. */
export class UnusableDocument extends UnexpectedResponse {
  override readonly name = 'UnusableDocument';
}

/** The error for an unexpected status. */
export function keystoneErrorOf(status: number, message: string): KeystoneError {
  const isOfAll = status >= 500 || status === 401 || status === 403;
  return isOfAll ? new KeystoneError(message) : new UnexpectedResponse(message);
}
