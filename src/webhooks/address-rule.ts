import { type AddressRule, mayAsk } from '../addresses/address-rule.ts';

/**
 * The rule for receivers of events.
 * @param allowPrivate whether they may be on this machine, in a private network or on a link
 */
export function receiverRule(allowPrivate: boolean): AddressRule {
  return (address) => {
    if (mayAsk(address, (_, kind) => allowPrivate || kind === 'public')) return undefined;
    const advice = !allowPrivate && mayAsk(address, () => true) ? ': set allow_private to send there' : '';
    return `${address} is no address on the Internet${advice}`;
  };
}
