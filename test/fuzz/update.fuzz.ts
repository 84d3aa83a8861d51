import { parseArgs } from 'node:util';
import { FormError } from '../../src/dns/encoding/reader.ts';
import { openUpdate } from '../../src/dns/wire/update.ts';
import { Random } from '../support/random.ts';
import { type SentRecord, updateOctets } from '../support/updates.ts';
import { fuzzService } from './update-service.ts';

/**
 * What reads UPDATE messages, given valid ones and ones with faults in their octets: `npm run fuzz -- update --seed 1 --messages 1000000`.
 * Each must be read, or be a FormError. Ends with status 1 if anything else was thrown, and shows the octets.
 *
 * With `--service` they go to a running service, most of them unsigned, signed wrongly, at a wrong time, or sent again. Only those that are
 * signed rightly change the zone, once each, and no stranger gets more octets than it sent.
 */

const PROGRESS = 100_000;
const NAMES = ['z.example.', 'a.z.example.', '*.z.example.', 'b\\.c.z.example.', 'example.'];
const DATA: readonly (readonly [string, string])[] = [
  ['A', '192.0.2.1'],
  ['TXT', '"a" "b"'],
  ['CNAME', 'c.example.'],
  ['MX', '10 mail.example.'],
  ['TYPE49', '\\# 3 010203'],
  ['SVCB', '1 svc.example. alpn="h2"'],
  ['SOA', '. . 1 2 3 4 5'],
];
const CLASSES = [1, 1, 254, 255];

function recordOf(random: Random): SentRecord {
  const [type, rdata] = random.pick(DATA);
  const name = random.pick(NAMES);
  const ttl = random.chance(0.05) ? random.below(2 ** 32) : 0;
  const rest = { name, class: random.chance(0.03) ? 3 : random.pick(CLASSES), ttl };
  if (rest.class === 255 && random.chance(0.9)) return { ...rest, type: random.pick([type, 'ANY']) };
  if (random.chance(0.05)) return { ...rest, type, rdata: Buffer.from(rdata) };
  return random.chance(0.95) ? { ...rest, type, rdata } : { ...rest, type };
}

const recordsOf = (random: Random) => Array.from({ length: random.below(5) }, () => recordOf(random));

/** A message, mostly with some octets changed, or without its end. */
function messageOf(random: Random): Buffer {
  const octets = updateOctets({
    zone: random.pick(NAMES),
    id: random.below(65_536),
    prerequisites: recordsOf(random),
    updates: recordsOf(random),
    hasOpt: random.chance(0.5),
  });
  for (let faults = random.below(3); faults > 0; faults -= 1)
    octets[random.below(octets.length)] = random.below(256);
  return random.chance(0.1) ? octets.subarray(0, random.below(octets.length)) : octets;
}

const { values } = parseArgs({
  options: { seed: { type: 'string' }, messages: { type: 'string' }, service: { type: 'boolean' } },
});
const seed = Number(values.seed ?? 1);
const random = new Random(seed);
const messages = Number(values.messages ?? 100_000);
if (values.service) process.exit((await fuzzService(seed, messages)) === 0 ? 0 : 1);
const tally = { read: 0, refused: 0, slowestMs: 0 };
for (let made = 1; made <= messages; made += 1) {
  const octets = messageOf(random);
  const before = performance.now();
  try {
    openUpdate(octets).read();
    tally.read += 1;
  } catch (error) {
    if (!(error instanceof FormError)) {
      console.error(octets.toString('hex'), error);
      process.exitCode = 1;
    }
    tally.refused += 1;
  }
  tally.slowestMs = Math.max(tally.slowestMs, performance.now() - before);
  if (made % PROGRESS === 0) console.log(made, JSON.stringify(tally));
}
console.log(`${messages} messages`, JSON.stringify(tally));
