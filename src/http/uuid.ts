const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A well-formed id as it is stored, in lower case; undefined for any other text. */
export function parseUuid(text: string): string | undefined {
  if (text.length !== 36) return undefined;
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}
