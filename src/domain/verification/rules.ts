/** Rules for individual stored zones, recordsets, projects and blacklists. */
import { parseZoneName, subtreeKey } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import { parseRdata, trimRdata } from '../../dns/parse-rdata.ts';
import { parseRecordType, type StoredType } from '../../dns/record-types.ts';
import { isExactRdata } from '../../dns/wire/rdata.ts';
import { type BlacklistException, MAX_EXCEPTIONS, MODES } from '../../model/blacklists/blacklist.ts';
import { isProjectId } from '../../model/project-id.ts';
import { MAX_LIMIT, UNLIMITED } from '../../model/quotas/quota.ts';
import { descriptionFault } from '../../model/text.ts';
import type {
  StoredBlacklist,
  StoredCheck,
  StoredProject,
  StoredRecordset,
  StoredZone,
} from '../../model/verification/stored.ts';
import { storedEmailFault } from '../../model/zones/email.ts';
import { timerFaults } from '../../model/zones/soa-timers.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { countFaults } from '../recordsets/records.ts';
import { ttlFault } from '../zone-files/zone-contents.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

interface StoredEntry {
  readonly id: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const wellFormedId: StoredCheck<Pick<StoredEntry, 'id'>> = ({ id }) =>
  UUID.test(id) ? undefined : 'The id is not valid.';

export const wellFormedTimes: StoredCheck<Pick<StoredEntry, 'createdAt' | 'updatedAt'>> = ({
  createdAt,
  updatedAt,
}) =>
  TIME.test(createdAt) && (updatedAt === null || TIME.test(updatedAt)) ? undefined : 'A time is not valid.';

export const updatedLater: StoredCheck<Pick<StoredEntry, 'createdAt' | 'updatedAt'>> = ({
  createdAt,
  updatedAt,
}) => (updatedAt === null || updatedAt >= createdAt ? undefined : 'updated_at is earlier than created_at.');

export const description: StoredCheck<Pick<StoredEntry, 'description'>> = ({ description }) =>
  description === null || descriptionFault(description) === undefined
    ? undefined
    : 'The description is not valid.';

const protectionReason: StoredCheck<Pick<Zone, 'protection'>> = ({ protection }) =>
  protection?.reason == null || descriptionFault(protection.reason) === undefined
    ? undefined
    : 'The reason of its protection is not valid.';

const ENTRY = [wellFormedId, wellFormedTimes, updatedLater, description];
const counted = (value: number) => Number.isInteger(value) && value >= 1;

export const ZONE_CHECKS: readonly StoredCheck<StoredZone>[] = [
  ...ENTRY.map(
    (check) =>
      ({ zone }: StoredZone) =>
        check(zone),
  ),
  ({ zone }) => {
    const parsed = parseZoneName(zone.name);
    return parsed.ok && parsed.value === zone.name ? undefined : 'The name is not canonical.';
  },
  ({ zone }) => protectionReason(zone),
  ({ zone, subtreeKey: key }) =>
    key === subtreeKey(zone.name) ? undefined : 'The subtree key does not match the name.',
  ({ zone }) => (isProjectId(zone.projectId) ? undefined : 'The project id is not valid.'),
  ({ zone }) => (storedEmailFault(zone.email) === undefined ? undefined : 'The mail address is not valid.'),
  ({ zone }) => ttlFault(zone.ttl),
  ({ zone }) => (isSerial(zone) ? undefined : `The serial ${zone.serial} is not valid.`),
  ({ zone }) => (counted(zone.version) ? undefined : 'The version is not valid.'),
  ({ readable }) => (readable ? undefined : 'The attributes cannot be read.'),
  ({ zone: { soa, type }, timersReadable }) =>
    timersReadable && (soa === null || (type === 'PRIMARY' && timerFaults(soa).length === 0))
      ? undefined
      : 'The timers of the SOA are not valid.',
  ({ modesReadable }) => (modesReadable ? undefined : 'The guardrail modes cannot be read.'),
  ({ zone: { type, masters } }) =>
    (type === 'SECONDARY') === masters.length > 0
      ? undefined
      : `Its type is ${type}, and it has ${masters.length} masters.`,
];

/** Only a master may use serial 0. */
function isSerial({ serial, type }: Zone): boolean {
  return Number.isInteger(serial) && serial >= (type === 'SECONDARY' ? 0 : 1) && serial < 2 ** 32;
}

/** Other types, and rdata that the format of a type cannot express, use the generic format of RFC 3597. */
const GENERAL_FORM = /^\\# \d+( [0-9a-f]+)?$/;

function isCanonical(type: StoredType, text: string): boolean {
  const parsed = parseRdata(type, text);
  return parsed.ok ? parsed.rdata === text : GENERAL_FORM.test(text);
}

type RdataCheck = (type: StoredType, text: string) => boolean;

/** Masters also send what canonical text would change. */
const isReceived: RdataCheck = (type, text) => isCanonical(type, text) || isExactRdata(type, text);

function recordsAre(isValid: RdataCheck): StoredCheck<StoredRecordset> {
  return ({ recordset: { type, records } }) => {
    const wrong = records.find((text) => !isValid(type, text));
    return wrong === undefined ? undefined : `The record ${JSON.stringify(wrong)} is not canonical rdata.`;
  };
}

function isSpelling(type: StoredType, spelling: string, text: string): boolean {
  const parsed = parseRdata(type, spelling);
  return parsed.ok && parsed.rdata === text && spelling !== text && trimRdata(spelling) === spelling;
}

/** For recordsets of any zone. */
const COMMON_CHECKS: readonly StoredCheck<StoredRecordset>[] = [
  ...ENTRY.map(
    (check) =>
      ({ recordset }: StoredRecordset) =>
        check(recordset),
  ),
  ({ recordset }) => protectionReason(recordset),
  ({ recordset, subtreeKey: key }) =>
    key === subtreeKey(recordset.name) ? undefined : 'The subtree key does not match the name.',
  ({ recordset: { ttl } }) => (ttl === null ? undefined : ttlFault(ttl)),
  ({ recordset }) => (counted(recordset.version) ? undefined : 'The version is not valid.'),
  ({ readable }) => (readable ? undefined : 'The records cannot be read.'),
  ({ recordset: { type, records, spellings } }) => {
    // Spellings left over from records that an older version replaced are ignored.
    const spelled = records.filter((text) => spellings[text] !== undefined);
    const wrong = spelled.find((text) => !isSpelling(type, spellings[text]!, text));
    return wrong && `${JSON.stringify(spellings[wrong])} is not a spelling of ${JSON.stringify(wrong)}.`;
  },
  ({ recordset: { records } }) =>
    new Set(records).size === records.length ? undefined : 'A record occurs twice.',
];

export const RECORDSET_CHECKS: readonly StoredCheck<StoredRecordset>[] = [
  ...COMMON_CHECKS,
  recordsAre(isCanonical),
  ({ recordset: { name } }) => {
    const parsed = parseOwnerName(name);
    return parsed.ok && parsed.value === name ? undefined : 'The name is not canonical.';
  },
  ({ recordset: { type } }) => {
    const parsed = parseRecordType(type);
    return parsed.ok && parsed.value === type ? undefined : `The type ${type} is unknown.`;
  },
  ({ recordset: { type, records }, readable }) =>
    readable ? countFaults(type, records.length)[0]?.message : undefined,
];

/** For recordsets of a secondary zone, whose names and types come from its masters. */
export const RECEIVED_CHECKS: readonly StoredCheck<StoredRecordset>[] = [
  ...COMMON_CHECKS,
  recordsAre(isReceived),
  ({ recordset: { records }, readable }) =>
    readable && records.length === 0 ? 'It has no records.' : undefined,
];

export const PROJECT_CHECKS: readonly StoredCheck<StoredProject>[] = [
  ({ projectId }) => (isProjectId(projectId) ? undefined : 'The project id is not valid.'),
  ({ state }) =>
    Object.values(state?.overrides ?? {}).every(
      (limit) => Number.isInteger(limit) && limit >= UNLIMITED && limit <= MAX_LIMIT,
    )
      ? undefined
      : 'A limit is not valid.',
];

function isTime(text: string | null): boolean {
  return text === null || TIME.test(text);
}

function isZoneName(name: string): boolean {
  const parsed = parseZoneName(name);
  return parsed.ok && parsed.value === name;
}

function isRight({ projectId, name, description, expiresAt }: BlacklistException): boolean {
  const isAboutSomething = projectId !== null || name !== null;
  const hasValidIds = (projectId === null || isProjectId(projectId)) && (name === null || isZoneName(name));
  const isDescribed = description === null || descriptionFault(description) === undefined;
  return isAboutSomething && hasValidIds && isDescribed && isTime(expiresAt);
}

export const BLACKLIST_CHECKS: readonly StoredCheck<StoredBlacklist>[] = [
  ...ENTRY.map(
    (check) =>
      ({ blacklist }: StoredBlacklist) =>
        check(blacklist),
  ),
  ({ number }) => (counted(number) ? undefined : `The number ${number} is not valid.`),
  ({ blacklist: { mode } }) => (MODES.includes(mode) ? undefined : `The mode ${mode} is unknown.`),
  ({ readable }) => (readable ? undefined : 'The exceptions cannot be read.'),
  ({ blacklist: { exceptions } }) =>
    exceptions.length <= MAX_EXCEPTIONS && exceptions.every(isRight)
      ? undefined
      : 'An exception is not valid.',
  ({ blacklist: { expiresAt } }) => (isTime(expiresAt) ? undefined : 'The expiry is not valid.'),
  ({ blacklist: { expiresAt }, hasEnded }) =>
    hasEnded && expiresAt === null ? 'It has ended, but has no expiry.' : undefined,
  ({ blacklist: { hits } }) =>
    hits === null ||
    (isTime(hits.lastAt) && [hits.refused, hits.warned, hits.audited].every((one) => one >= 0))
      ? undefined
      : 'The hits are not valid.',
  ({ haveValidKeys }) => (haveValidKeys ? undefined : 'The keys do not match the pattern.'),
  ({ isHeld }) => (isHeld ? undefined : 'Neither a list nor a person holds it.'),
];
