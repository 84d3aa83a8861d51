import type { Dice } from '../dice.ts';
import type { Injury } from '../sites.ts';
import type { NameServer } from './name-server.ts';
import type { PacketProxy } from './packet-proxy.ts';

/** What befalls a name server. */
export function serverInjuries(server: NameServer): Injury[] {
  const target = `name server ${server.index}`;
  return [
    {
      kind: 'kill -9 of a name server',
      weight: 4,
      isKill: true,
      target,
      inflict: () => server.kill(),
      lasts: (dice) => dice.int(0, dice.chance(0.2) ? 6000 : 1500),
      heal: async () => server.start(),
    },
    {
      kind: 'SIGSTOP of a name server',
      weight: 1,
      isKill: false,
      target,
      inflict: async () => server.halt(),
      lasts: (dice) => dice.int(200, 4000),
      heal: async () => server.resume(),
    },
  ];
}

const time = (dice: Dice) => dice.int(300, dice.chance(0.3) ? 9000 : 3000);

/** What befalls the packets on a way. */
export function wayInjuries(proxy: PacketProxy, to: string, canLie = false): Injury[] {
  const common = {
    isKill: false,
    target: `the way to ${to}`,
    lasts: time,
    heal: async () => proxy.heal(),
  };
  const lie: Injury = {
    ...common,
    kind: 'name server that answers old serials',
    weight: 2,
    inflict: async () => proxy.lie(),
  };
  return [
    {
      ...common,
      kind: 'packets lost and doubled, connections reset',
      weight: 4,
      inflict: async () => proxy.storm(),
    },
    {
      ...common,
      kind: 'no packets and no connections',
      weight: 2,
      inflict: async () => proxy.cut(),
    },
    ...(canLie ? [lie] : []),
  ];
}
