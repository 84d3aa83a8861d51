import { type TsigSecret as WireKey, wireAlgorithm } from '../../dns/wire/tsig.ts';
import { secretBytes, type TsigKey } from './tsig-key.ts';

/** A key as it signs messages. */
export function wireKeyOf({
  name,
  algorithm,
  secret,
}: Pick<TsigKey, 'name' | 'algorithm' | 'secret'>): WireKey {
  return { name: `${name}.`, algorithm: wireAlgorithm(algorithm), secret: secretBytes(secret) };
}
