import { type AddressRule, mayAsk } from '../addresses/address-rule.ts';

/**
 * Returns the rule for addresses of webhook receivers.
 * @param allowPrivate true to allow loopback, private and link-local addresses
 */
export function receiverRule(allowPrivate: boolean): AddressRule {
  return (address) => {
    if (mayAsk(address, (_, kind) => allowPrivate || kind === 'public')) return undefined;
    const advice = !allowPrivate && mayAsk(address, () => true) ? ': set allow_private to send there' : '';
    return `${address} is not a public address${advice}`;
  };
}
