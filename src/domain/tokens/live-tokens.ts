import { type ApiToken, endOf } from '../../model/tokens/api-token.ts';

type FindToken = (id: string) => Promise<ApiToken | undefined>;

/** Those of some tokens that have not ended, by themselves or with one that they descend from. */
export async function liveAmong(
  tokens: readonly ApiToken[],
  find: FindToken,
  now: string,
): Promise<readonly ApiToken[]> {
  const given = new Map(tokens.map((token) => [token.id, token]));
  const others = [...new Set(tokens.flatMap(({ ancestors }) => ancestors))].filter((id) => !given.has(id));
  const found = await Promise.all(others.map(find));
  const known = [...tokens, ...found.filter((one) => one !== undefined)];
  const live = new Set(known.filter((one) => endOf(one, now) === undefined).map(({ id }) => id));
  return tokens.filter(({ id, ancestors }) => live.has(id) && ancestors.every((one) => live.has(one)));
}
